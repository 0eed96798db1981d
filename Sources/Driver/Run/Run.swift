package import Fleet
import HTTP2
package import LoadPlan
package import Push
import Resources
package import Sending
import Synchronization
import Transport

/// One run: the profile's load, driven against hosts, and what was measured of it.
///
/// All that can be wrong with profile, credentials and hosts shows before the load begins, as a ``RunError``.
package final class Run {
    /// What the caller is asked and told while the run goes on; called on the caller's thread.
    package struct Observer {
        /// Told where the run stands, up to 20 times a second.
        package var progressed: (RunProgress) -> Void
        /// How often the user has asked to end: 0 go on, 1 finish soon, 2 end now.
        package var interruptions: () -> Int
        /// The wall clock, in nanoseconds since 1970.
        package var wallClock: () -> Int64
        /// How often it is told where the run stands, in nanoseconds.
        package var interval: Int64
        /// Given the numbers so far when a second has ended; only if the run was made to tell them.
        package var measured: (RunMeasurement) -> Void

        package init(
            progressed: @escaping (RunProgress) -> Void,
            interruptions: @escaping () -> Int,
            measured: @escaping (RunMeasurement) -> Void = { _ in },
            wallClock: @escaping () -> Int64 = WallClock.now,
            interval: Int64 = 0
        ) {
            self.progressed = progressed
            self.interruptions = interruptions
            self.measured = measured
            self.wallClock = wallClock
            self.interval = interval
        }
    }

    private static let pollInterval: Int64 = 50 * Nanoseconds.millisecond

    let profile: Profile
    /// The part of the run that this process has; nil for a run that is not shared.
    let shard: Shard?
    let workers: Int
    let phases: [RunPhase]
    let setups: [LaneSetup]
    /// The pushes that all shards plan together; nil where a closed loop has no limit.
    var plannedByAll: UInt64? {
        // The parts of a lane have one plan.
        let lanes = setups.indices.filter { index in
            index == 0 || setups[index - 1].hashNumber != setups[index].hashNumber
        }
        return lanes.reduce(0) { sum, lane in sum.flatMap { sum in setups[lane].plan.totalPlanned.map { sum + $0 } } }
    }
    let credentials: RunCredentials
    private let control: RunControl
    private let progresses: [WorkerProgress]
    /// By lane index.
    private let halts: [LaneHaltSignal]
    private let isReal: Bool
    let hosts: HostAnnouncement

    /// Lays everything out: plan, fleet, requests, credentials.
    ///
    /// - Parameters:
    ///   - fleet: the devices that pushes go to.
    ///   - shard: the part of the run that this process has; nil for a run that is not shared.
    ///   - workers: how many threads send.
    ///   - hosts: where the lanes' hosts are and with what credentials they can be used.
    ///   - replays: the times of the profile's replayed phases, by their index.
    ///   - isWatched: whether its progress is to have more than counts.
    ///   - isLive: whether the numbers are told every second, at the cost of about 0.1 ms of a worker's time for each lane.
    package init(
        profile: Profile,
        shard: Shard? = nil,
        fleet: FleetSource,
        workers: Int,
        hosts: HostAnnouncement,
        replays: [Int: [ReplayTimes]] = [:],
        isWatched: Bool = false,
        isLive: Bool = false
    ) throws(RunError) {
        precondition(workers > 0, "a run needs a worker")
        self.profile = profile
        self.shard = shard
        self.workers = workers
        let layout = try RunLayout(
            profile: profile,
            shard: shard ?? .whole,
            fleet: fleet,
            hosts: hosts,
            replays: replays
        )
        phases = layout.phases
        setups = layout.setups
        credentials = try RunCredentials(lanes: setups, hosts: hosts, clockScale: profile.mock.tokenClockScale)
        halts = setups.map { _ in LaneHaltSignal() }
        isReal = hosts.isReal
        self.hosts = hosts
        control = RunControl(isWatched: isWatched)
        progresses = (0..<workers)
            .map { _ in WorkerProgress(lanes: layout.setups.count, news: isLive ? WorkerNews() : nil) }
    }

    /// Connects, drives the load, drains and closes.
    ///
    /// - Parameter rule: when the load begins.
    /// - Throws: ``RunError`` where the load could not begin; once it has begun, whatever happens is data.
    package func perform(
        _ observer: Observer,
        starting rule: StartRule = .whenReady
    ) throws(RunError) -> RunMeasurement {
        waitForLead(rule) { mayGoOn(observer) }
        try credentials.waitForTokens { mayGoOn(observer) }
        let aheadOfHosts = shard == nil || control.current != .goOn ? nil : askHostsForTheirTime()
        let crew = try startCrew()
        var resources = ResourceWindow(phases: phases, of: profile.load)
        var startFailure: RunError?
        var agreement: StartAgreement?
        do throws(RunError) {
            try waitUntilReady(crew, observer)
            if control.current == .goOn { agreement = try agree(on: rule) { mayGoOn(observer) } }
            if let agreement { try credentials.share(by: agreement) { mayGoOn(observer) } }
        } catch {
            control.give(.abort)
            startFailure = error
        }
        resources.begin(at: agreement?.start ?? MonotonicClock.now(), wall: observer.wallClock())
        var faultyLane: Int?
        if let agreement {
            control.begin(at: agreement.start)
            faultyLane = watch(crew, from: agreement.start, &resources, observer)
        }
        for member in crew { member.thread.join() }
        resources.end()
        credentials.close()
        if let failure = startFailure ?? Self.failure(of: crew) { throw failure }
        return merge(
            crew.map { $0.result.take() },
            resources,
            agreement,
            aheadOfHosts: aheadOfHosts,
            faultyLane: faultyLane
        )
    }

    // MARK: Workers

    private struct Member {
        let thread: WorkerThread
        let result: WorkerResultBox
    }

    private func startCrew() throws(RunError) -> [Member] {
        var crew: [Member] = []
        do throws(RunError) {
            for number in 0..<workers { crew.append(try start(number)) }
        } catch {
            control.give(.abort)
            for member in crew { member.thread.join() }
            throw error
        }
        return crew
    }

    private func start(_ number: Int) throws(RunError) -> Member {
        let box = WorkerResultBox()
        let (control, progress) = (control, progresses[number])
        let assignment = WorkerAssignment(
            number: number,
            workers: workers,
            phases: phases,
            phaseCount: profile.load.phases.count,
            setups: setups,
            credentials: credentials.byLane,
            halts: halts,
            drain: profile.load.drain
        )
        let thread = try WorkerThread { box.run(assignment, control: control, progress: progress) }
        return Member(thread: thread, result: box)
    }

    /// Why a worker could not begin or go on.
    private static func failure(of crew: [Member]) -> RunError? {
        crew.lazy.compactMap { $0.result.failure }.first
    }

    /// Waits until every worker has its connections, or the user has ended it.
    private func waitUntilReady(_ crew: [Member], _ observer: Observer) throws(RunError) {
        let limit = setups.map { $0.longestStart(workers: workers) }.max() ?? 0
        let deadline = MonotonicClock.now() + limit + Nanoseconds.second
        while control.current == .goOn {
            if let failure = Self.failure(of: crew) { throw failure }
            if progresses.allSatisfy({ $0.isReady.load(ordering: .acquiring) }) { return }
            guard MonotonicClock.now() <= deadline else {
                throw .system("the connections were not ready after \(limit / Nanoseconds.second) s")
            }
            guard mayGoOn(observer) else { return }
            sleep(nanoseconds: 2 * Nanoseconds.millisecond)
        }
    }

    /// Shows that the load has not begun; whether the user still wants it to.
    private func mayGoOn(_ observer: Observer) -> Bool {
        obey(observer)
        observer.progressed(RunProgress())
        return control.current == .goOn
    }

    // MARK: While it runs

    /// Follows the run to its end.
    ///
    /// - Returns: the index of the lane whose fault ended it; nil where it ended of itself or by its user.
    private func watch(
        _ crew: [Member],
        from start: Int64,
        _ resources: inout ResourceWindow,
        _ observer: Observer
    ) -> Int? {
        var faultyLane: Int?
        var nextView: Int64 = 0
        var live = LiveMeasurement(
            lanes: setups.map(\.name),
            phases: profile.load.phases.count,
            workers: workers
        )
        while !progresses.allSatisfy({ $0.isFinished.load(ordering: .acquiring) }) {
            sleep(nanoseconds: Self.pollInterval)
            obey(observer)
            // Without one of its workers a run has sent less than it says.
            if Self.failure(of: crew) != nil { control.give(.abort) }
            if let lane = firstFault {
                faultyLane = lane
                control.give(.finishSoon)
            }
            let now = MonotonicClock.now()
            resources.sample(at: now, wall: observer.wallClock(), control: control, progresses: progresses)
            if now >= nextView {
                nextView = now + observer.interval
                observer.progressed(progress(at: now - start, clockStep: resources.clockStep))
            }
            for (number, worker) in progresses.enumerated() { live.add(worker.news?.take() ?? [], of: number) }
            if let seconds = live.newSeconds() {
                observer.measured(measurement(of: live, seconds: seconds, startedAt: resources.wallAtStart))
            }
        }
        return faultyLane ?? firstFault
    }

    /// The lane that ends a run which nobody has ended yet: real hosts are left alone as soon as something is wrong.
    private var firstFault: Int? {
        isReal && control.current == .goOn ? halts.firstIndex(where: \.isGiven) : nil
    }

    private func obey(_ observer: Observer) {
        switch observer.interruptions() {
        case 0: break
        case 1: control.give(.finishSoon)
        default: control.give(.abort)
        }
    }

    private func progress(at elapsed: Int64, clockStep: Int64) -> RunProgress {
        var sum = RunProgress()
        sum.lanes = setups.map { RunProgress.Lane(name: $0.name) }
        for worker in progresses { sum.add(worker) }
        if control.isWatched { sum.add(progresses.flatMap { $0.latest.withLock { $0 } }) }
        sum.clockStep = clockStep
        sum.elapsed = elapsed
        sum.duration = phases.last?.end ?? 0
        if let phase = phases.last(where: { $0.start <= max(elapsed, 0) }) {
            sum.phase = profile.load.phases[phase.index].name
            sum.phaseElapsed = elapsed - phase.start
            sum.phaseDuration = phase.end - phase.start
        }
        return sum
    }
}

extension LaneSetup {
    /// How long a worker's connections may take to come up before the load, in nanoseconds: they come a few at a time.
    fileprivate func longestStart(workers: Int) -> Int64 {
        let atOnce = ConnectGate.mostAtOnceBeforeLoad
        let rounds = ((share(ofWorker: 0, of: workers)?.connections ?? 0) + atOnce - 1) / atOnce
        return Int64(rounds) * (timeouts.connect + timeouts.handshake)
    }
}
