import Credentials
import Fleet
import HTTP2
import Histogram
import LoadPlan
import Push
import Sending
import Testing
import Transport

@testable import Driver

/// One run of the whole driver against a scripted host, and what both sides say of it.
struct Trial {
    let profile: Profile
    let run: RunMeasurement
    let host: Ledger

    /// Half a second of 400 pushes a second over two connections of one lane.
    static var profile: Profile {
        var profile = Profile()
        profile.name = "trial"
        profile.fleet.mix = [LaneShare(lane: LaneName.apnsProduction, share: 1)]
        var phase = Phase()
        phase.duration = 500 * Nanoseconds.millisecond
        phase.shape = .constant(.total(.perSecond(400)))
        profile.load.phases = [phase]
        profile.load.drain = 2 * Nanoseconds.second
        for name in LaneName.all {
            var lane = LaneSection()
            lane.connections = 2
            lane.timeouts.connect = Nanoseconds.second
            lane.timeouts.handshake = Nanoseconds.second
            // Longer than a busy machine takes to answer, and over before the drain is.
            lane.timeouts.push = 1500 * Nanoseconds.millisecond
            profile.lanes[name] = lane
        }
        return profile
    }

    /// Runs the whole driver in this process.
    ///
    /// - Parameters:
    ///   - change: what is different from ``profile``; which lanes there are is the mix's to say.
    ///   - observe: called every now and then while the load goes on, with the time since its start; how often the user
    ///     has asked to end is its answer.
    ///   - wallClock: the wall clock that the run sees.
    ///   - serving: told the host's port before the run begins.
    /// - Throws: `RunError` where the load could not begin.
    init(
        _ script: Script,
        workers: Int = 1,
        _ change: (inout Profile) -> Void = { _ in },
        observe: @escaping (Int64) -> Int = { _ in 0 },
        wallClock: @escaping () -> Int64 = WallClock.now,
        serving: (UInt16) -> Void = { _ in }
    ) throws {
        var profile = Self.profile
        change(&profile)
        self.profile = profile
        let usesFCM = profile.fleet.mix.contains { $0.lane == LaneName.fcm }
        let oauth = usesFCM ? try TokenHost(profile) : nil
        let scripted = try ScriptedHost(script)
        serving(scripted.port)
        let hosts = Dictionary(uniqueKeysWithValues: LaneName.all.map { ($0, scripted.url) })
        do {
            let run = try Run(
                profile: profile,
                fleet: Self.fleet(of: profile),
                workers: workers,
                hosts: Self.announcement(profile, hosts, serviceAccount: oauth?.serviceAccountFile)
            )
            var elapsed: Int64 = 0
            self.run = try run.perform(
                Run.Observer(
                    progressed: { elapsed = $0.elapsed },
                    interruptions: { observe(elapsed) },
                    wallClock: wallClock
                )
            )
        } catch {
            _ = scripted.stop()
            throw error
        }
        host = scripted.stop()
    }

    static func announcement(
        _ profile: Profile,
        _ hosts: [String: String],
        serviceAccount: String?
    ) -> HostAnnouncement {
        let made = TestCredentials.shared
        var announcement = HostAnnouncement(
            pid: 0,
            ca: made.authorityFile,
            hosts: hosts,
            apns: HostAnnouncement.APNs(
                key: made.keyFile,
                keyId: made.identity.keyID,
                teamId: made.identity.teamID,
                topics: profile.fleet.apps.map(\.topic),
                certificate: made.pushCertificate.p12
            ),
            fcm: HostAnnouncement.FCM(
                serviceAccount: serviceAccount ?? made.serviceAccountFile,
                projectId: profile.fleet.project
            )
        )
        announcement.apns.nextKey = made.nextKeyFile
        announcement.apns.nextKeyId = MockCredentials.nextKeyID
        return announcement
    }

    static func fleet(of profile: Profile) throws -> FleetSource {
        var shares = PerLane(repeating: 0.0)
        for entry in profile.fleet.mix {
            if let lane = FleetLane(name: entry.lane) { shares[lane] = entry.share }
        }
        return FleetSource(
            Fleet(
                try FleetSpecification(
                    seed: profile.seed,
                    size: profile.fleet.size,
                    weights: LaneWeights(shares: shares),
                    apps: profile.fleet.apps.map { FleetSpecification.App(topic: $0.topic, weight: $0.share) },
                    project: profile.fleet.project,
                    longTokenShare: 0,
                    longestToken: 64,
                    defects: FleetSpecification.Defects()
                )
            )
        )
    }

    var lane: LaneMeasurement { run.lanes[0] }
    var counts: PushCounts { lane.phases.reduce(into: PushCounts()) { $0 += $1.counts } }

    /// How many pushes ended so, whatever their phase.
    func count(_ reason: String) -> UInt64 {
        lane.phases.flatMap(\.outcomes).reduce(0) { $0 + ($1.reason == reason ? $1.count : 0) }
    }

    func failed(_ cause: LocalFailure) -> UInt64 {
        guard cause == .streamReset else { return count(cause.rawValue) }
        // One line for each code.
        return lane.phases.flatMap(\.outcomes)
            .reduce(0) { $0 + ($1.reason.hasPrefix(cause.rawValue + ": ") ? $1.count : 0) }
    }

    /// Connections that ended so.
    func connections(closedBy words: String) -> [ConnectionMeasurement] {
        run.connections.filter { $0.closedBy.contains(words) }
    }

    /// What holds after every run, whatever the host did: the run ended in time, every push has one end, and both sides
    /// agree on what was sent.
    ///
    /// - Parameter mayBeLost: how many pushes may have been written to a connection that broke before the host read them.
    func checkAccounts(mayBeLost: UInt64 = 0, sourceLocation: SourceLocation = #_sourceLocation) {
        let load = profile.load.phases.reduce(0) { $0 + $1.duration * Int64($1.repeats) }
        // One second, and what the machine itself held the loop up by, which the run has measured.
        #expect(
            run.duration <= load + profile.load.drain + Nanoseconds.second + 2 * run.generator.longestStall,
            "ended late",
            sourceLocation: sourceLocation
        )
        for phase in lane.phases {
            #expect(phase.counts.holds, "\(phase.counts)", sourceLocation: sourceLocation)
            let ends = phase.outcomes.reduce(0) { $0 + $1.count }
            #expect(ends == phase.counts.planned, "\(phase.outcomes)", sourceLocation: sourceLocation)
            #expect(phase.clocks.streamWait.count == phase.counts.sent, sourceLocation: sourceLocation)
            #expect(phase.clocks.response.count == phase.counts.answered, sourceLocation: sourceLocation)
        }
        let (seen, sent) = (UInt64(host.distinct), counts.sent)
        // What is above the last stream of a GOAWAY, the host has not looked at.
        let unseen = mayBeLost + failed(.streamRefused)
        #expect(seen <= sent && sent - seen <= unseen, "seen \(seen), sent \(sent)", sourceLocation: sourceLocation)
        #expect(UInt64(host.repeated) <= counts.retries, "sent twice in secret", sourceLocation: sourceLocation)
        let tries = profile.lane(lane.name).retry.attempts
        #expect(host.mostOften <= tries + RetryRule.mostRetries, sourceLocation: sourceLocation)
        #expect(host.overLimit == 0, "streams too many", sourceLocation: sourceLocation)
        #expect(host.faults.isEmpty, "\(host.faults)", sourceLocation: sourceLocation)
        checkConnections(sourceLocation)
    }

    private func checkConnections(_ sourceLocation: SourceLocation) {
        let numbers = run.connections.map { "\($0.worker) \($0.connection)" }
        #expect(Set(numbers).count == numbers.count, "numbers used twice", sourceLocation: sourceLocation)
        for row in run.connections {
            #expect(row.opened <= row.closed && !row.closedBy.isEmpty, "\(row)", sourceLocation: sourceLocation)
        }
        let attempts = run.connections.reduce(0) { $0 + $1.streams }
        // A stream that was given a push and closed before it could write it is not an attempt.
        #expect(attempts >= counts.attempts, sourceLocation: sourceLocation)
    }
}
