import LoadPlan
import Sending
import Testing
import Transport

@testable import Driver
@testable import HTTP2

extension WholeRuns {
    @Suite("Stream identifiers")
    struct StreamExhaustionTests {
        @Test("A connection whose stream identifiers are used up is replaced, and no push is lost")
        func replaced() throws {
            let profile = Trial.profile
            let host = try ScriptedHost(Script())
            let result: WorkerResult
            do {
                result = try Self.run(profile, hosts: [LaneName.apnsProduction: host.url])
            } catch {
                _ = host.stop()
                throw error
            }
            let ledger = host.stop()
            let counts = try #require(result.lanes[0]).phases[0].counts
            #expect(counts.planned == 200 && counts.delivered == 200 && counts.retries == 0)
            #expect(ledger.distinct == 200 && ledger.repeated == 0 && ledger.faults.isEmpty, "\(ledger.faults)")
            #expect(result.connections.allSatisfy { $0.peakStreams <= LastStreams.count && $0.goAwayCode == nil })
            let usedUp = result.connections.filter { $0.closedBy == "stream identifiers used up" }
            // The last ones may have just as many left as they need.
            #expect(usedUp.count >= 200 / LastStreams.count - 2 && ledger.goodbyes == ledger.accepted)
        }

        /// A worker's whole work on this thread, with sessions that have few identifiers left.
        private static func run(_ profile: Profile, hosts: [String: String]) throws -> WorkerResult {
            let announcement = Trial.announcement(profile, hosts, serviceAccount: nil)
            let fleet = try Trial.fleet(of: profile)
            let layout = try RunLayout(profile: profile, shard: .whole, fleet: fleet, hosts: announcement)
            let credentials = try RunCredentials(lanes: layout.setups, hosts: announcement, clockScale: 1)
            defer { credentials.close() }
            try credentials.waitForTokens { true }
            let assignment = WorkerAssignment(
                number: 0,
                workers: 1,
                phases: layout.phases,
                phaseCount: 1,
                setups: layout.setups,
                credentials: credentials.byLane,
                halts: layout.setups.map { _ in LaneHaltSignal() },
                drain: profile.load.drain
            )
            let poller = try Poller()
            let setup = layout.setups[0]
            let lane = LastStreamsLane(
                setup: setup,
                share: try #require(setup.share(ofWorker: 0, of: 1)),
                assignment: assignment,
                poller: poller,
                buffer: ReadBuffer()
            )
            let control = RunControl()
            // The load begins when the connections stand, which is later than now.
            control.begin(at: MonotonicClock.now())
            let worker = Worker(
                number: 0,
                lanes: [lane],
                poller: poller,
                control: control,
                progress: WorkerProgress(lanes: 1),
                phases: layout.phases,
                drain: profile.load.drain
            )
            try worker.run()
            return worker.result
        }
    }
}

private final class LastStreamsLane: LaneWorker<LastStreams>, LaneRunning {}

/// A direct session that has few stream identifiers left.
private final class LastStreams: ClientSession {
    static let count = 20

    private let session: DirectClientSession

    init(settings: ClientSettings) throws(HTTP2Error) {
        session = try DirectClientSession(settings: settings)
        session.skipStreams(to: UInt32(Int32.max) - 2 * UInt32(Self.count - 1))
    }

    func prepare(_ template: RequestTemplate) -> TemplateID { session.prepare(template) }

    func replaceField(named name: String, in template: TemplateID, with value: String) {
        session.replaceField(named: name, in: template, with: value)
    }

    func submit(_ template: TemplateID, _ variables: RequestVariables, slot: UInt32) throws(HTTP2Error) {
        try session.submit(template, variables, slot: slot)
    }

    func reset(slot: UInt32, code: HTTP2ErrorCode) { session.reset(slot: slot, code: code) }
    func receive(_ bytes: UnsafeRawBufferPointer) { session.receive(bytes) }
    func nextEvent() throws(HTTP2Error) -> ClientEvent? { try session.nextEvent() }

    func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        try session.collect(into: buffer)
    }

    var wantsWrite: Bool { session.wantsWrite }
    var streamLimit: Int { session.streamLimit }
    var settingsReceived: Bool { session.settingsReceived }
    var openStreams: Int { session.openStreams }
    func ping() throws(HTTP2Error) { try session.ping() }
    func goAway(code: HTTP2ErrorCode) throws(HTTP2Error) { try session.goAway(code: code) }
    var counters: SessionCounters { session.counters }
}
