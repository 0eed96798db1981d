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
        /// Told where the run stands, a few times a second.
        package var progressed: (RunProgress) -> Void
        /// How often the user has asked to end: 0 go on, 1 finish soon, 2 end now.
        package var interruptions: () -> Int

        package init(progressed: @escaping (RunProgress) -> Void, interruptions: @escaping () -> Int) {
            self.progressed = progressed
            self.interruptions = interruptions
        }
    }

    private static let pollInterval: Int64 = 50 * Nanoseconds.millisecond

    let profile: Profile
    let workers: Int
    let phases: [RunPhase]
    let setups: [LaneSetup]
    let credentials: RunCredentials
    private let control = RunControl()
    private let progresses: [WorkerProgress]

    /// Lays everything out: plan, fleet, requests, credentials.
    ///
    /// - Parameters:
    ///   - fleet: the devices that pushes go to.
    ///   - workers: how many threads send.
    ///   - hosts: where the lanes' hosts are and with what credentials they can be used.
    package init(profile: Profile, fleet: FleetSource, workers: Int, hosts: HostAnnouncement) throws(RunError) {
        precondition(workers > 0, "a run needs a worker")
        self.profile = profile
        self.workers = workers
        let layout = try RunLayout(profile: profile, fleet: fleet, hosts: hosts)
        phases = layout.phases
        setups = layout.setups
        credentials = try RunCredentials(lanes: setups, hosts: hosts, clockScale: profile.mock.tokenClockScale)
        progresses = (0..<workers).map { _ in WorkerProgress() }
    }

    /// Connects, drives the load, drains and closes.
    ///
    /// - Throws: ``RunError`` where the load could not begin; once it has begun, whatever happens is data.
    package func perform(_ observer: Observer) throws(RunError) -> RunMeasurement {
        let crew = try startCrew()
        var resources = ResourceWindow(phases: phases, measured: profile.load.phases.map { !$0.warmUp })
        let startFailure = waitUntilReady(crew, observer)
        let isWanted = startFailure == nil && control.current == .goOn
        let start = MonotonicClock.now() + (isWanted ? 20 * Nanoseconds.millisecond : 0)
        resources.begin(at: start)
        if isWanted {
            control.begin(at: start)
            watch(from: start, &resources, observer)
        }
        for member in crew { member.thread.join() }
        resources.end()
        credentials.close()
        if let startFailure { throw startFailure }
        return merge(crew.map { $0.result.take() }, resources)
    }

    // MARK: Workers

    private struct Member {
        let thread: WorkerThread
        let result: WorkerResultBox
    }

    private func startCrew() throws(RunError) -> [Member] {
        var crew: [Member] = []
        for number in 0..<workers {
            let box = WorkerResultBox()
            let (control, progress) = (control, progresses[number])
            let (workers, phases, setups, credentials) = (workers, phases, setups, credentials.byLane)
            let (drain, phaseCount) = (profile.load.drain, profile.load.phases.count)
            let thread = try WorkerThread {
                box.run(
                    WorkerAssignment(
                        number: number,
                        workers: workers,
                        phases: phases,
                        phaseCount: phaseCount,
                        setups: setups,
                        credentials: credentials,
                        drain: drain
                    ),
                    control: control,
                    progress: progress
                )
            }
            crew.append(Member(thread: thread, result: box))
        }
        return crew
    }

    /// Waits until every worker has its connections; nil when that is so, or when the user ended it.
    private func waitUntilReady(_ crew: [Member], _ observer: Observer) -> RunError? {
        let limit = setups.map { $0.timeouts.connect + $0.timeouts.handshake }.max() ?? 0
        let deadline = MonotonicClock.now() + limit + Nanoseconds.second
        while !progresses.allSatisfy({ $0.isReady.load(ordering: .acquiring) }) {
            if let failure = crew.lazy.compactMap({ $0.result.startFailure }).first {
                control.give(.abort)
                return failure
            }
            if MonotonicClock.now() > deadline {
                control.give(.abort)
                return .system("the connections were not ready after \(limit / Nanoseconds.second) s")
            }
            obey(observer)
            if control.current != .goOn { return nil }
            observer.progressed(RunProgress())
            sleep(nanoseconds: 2 * Nanoseconds.millisecond)
        }
        return nil
    }

    // MARK: While it runs

    private func watch(from start: Int64, _ resources: inout ResourceWindow, _ observer: Observer) {
        while !progresses.allSatisfy({ $0.isFinished.load(ordering: .acquiring) }) {
            sleep(nanoseconds: Self.pollInterval)
            obey(observer)
            let now = MonotonicClock.now()
            resources.sample(at: now, control: control, progresses: progresses)
            observer.progressed(progress(at: now - start))
        }
    }

    private func obey(_ observer: Observer) {
        switch observer.interruptions() {
        case 0: break
        case 1: control.give(.finishSoon)
        default: control.give(.abort)
        }
    }

    private func progress(at elapsed: Int64) -> RunProgress {
        var sum = RunProgress()
        for worker in progresses {
            sum.planned += worker.planned.load(ordering: .relaxed)
            sum.sent += worker.sent.load(ordering: .relaxed)
            sum.delivered += worker.delivered.load(ordering: .relaxed)
            sum.rejected += worker.rejected.load(ordering: .relaxed)
            sum.failed += worker.failed.load(ordering: .relaxed)
            sum.skipped += worker.skipped.load(ordering: .relaxed)
            sum.inFlight += worker.inFlight.load(ordering: .relaxed)
            sum.backlog += worker.backlog.load(ordering: .relaxed)
        }
        sum.elapsed = elapsed
        if let phase = phases.last(where: { $0.start <= max(elapsed, 0) }) {
            sum.phase = profile.load.phases[phase.index].name
            sum.phaseElapsed = elapsed - phase.start
            sum.phaseDuration = phase.end - phase.start
        }
        return sum
    }
}
