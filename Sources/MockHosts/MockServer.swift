import Hosts
import LoadPlan
import Resources
import Transport

/// Serves the hosts: one thread, one epoll loop, all connections of all hosts.
///
/// A turn of the loop waits for bytes or for the next answer to come due, reads and decides, lets the answers out that
/// are due, and then writes what has gathered for each connection, in one TLS record where it fits. What any client
/// does ends its own connection at worst. Belongs to the thread that runs it; others stop it through `stopper`.
package final class MockServer {
    /// The bit that tells a listener's tag in the poller from a connection's.
    static let listenerTags = UInt64(1) << 63

    /// The bit that tells a tag of the control port.
    static let controlTags = UInt64(1) << 62

    /// Descriptors that are not connections: listeners, the poller, standard streams, files for a moment.
    private static let otherDescriptors: UInt64 = 64

    /// Whether everything is accepted at once and nothing looked at.
    let isCanned: Bool
    /// Whether what senders do is held against the rules.
    let isAudited: Bool
    private let configuration: MockConfiguration
    let poller: Poller
    let listeners: [(port: HostPort, listener: Listener)]
    private let contexts: PerHost<TLSContext>
    var deciders: Deciders
    var connections: ConnectionTable
    var answers = AnswerHeap(capacity: 1 << 20)
    let writer: AnswerWriter
    let cannedAnswers: PerHost<CannedAnswer>
    let buffers = ServerBuffers()
    var tally = Tally()
    var audit: Audit
    let controlListener: Listener
    var controls: [UInt64: ControlConnection] = [:]
    var lastControl: UInt64 = 0
    /// Whether connections end because the mock does.
    private(set) var isStopping = false
    /// How far the hosts' clock is ahead of this machine's, in nanoseconds.
    private let clockSkew: Int64
    /// Connections that have something to write at the end of the turn.
    var toBeFlushed: [ConnectionHandle] = []
    /// Monotonic and wall time of this turn.
    var now = MonotonicClock.now()
    var wallNow = WallClock.now()
    private var signals: Signals?
    private var areListenersWatched = false
    private var nextSweep: Int64
    let started: (monotonic: Int64, cpu: Int64)
    /// When the connections of faulty hosts are looked at next; never if no fault asks for it.
    var nextWatch = Int64.max
    /// When access tokens are to be revoked, in nanoseconds since the start; nil for never, or done.
    var tokensEndAt: Int64?
    /// Listeners of hosts that stand still, which are not watched.
    var frozenListeners: Set<Int> = []

    /// Ends the server from any thread.
    package let stopper: Stopper

    /// Binds the hosts' ports; nothing is served before `run`.
    package init(_ configuration: MockConfiguration) throws(MockError) {
        self.configuration = configuration
        isCanned = configuration.behaviour.policy == .canned
        isAudited = configuration.isAudited
        started = (now, CPUClock.process())
        clockSkew = configuration.behaviour.clockSkew
        let descriptors = Descriptors.raiseLimit(to: UInt64(configuration.mostConnections) + Self.otherDescriptors)
        nextSweep = now
        listeners = try Self.listen(configuration)
        contexts = try Self.contexts(configuration)
        do {
            poller = try Poller(capacity: 1024)
        } catch {
            throw .system(error)
        }
        stopper = Stopper(poller.waker)
        // With fewer descriptors than connections, clients that are turned away learn so at once.
        let room = Int(clamping: descriptors.soft) - Int(Self.otherDescriptors)
        connections = ConnectionTable(capacity: max(1, min(configuration.mostConnections, room)))
        do {
            controlListener = try Listener(on: .loopback(port: configuration.controlPort))
        } catch {
            throw .listening(host: "control", error)
        }
        var rules = Audit.Rules()
        rules.tokenInterval /= configuration.behaviour.tokenScale
        rules.tokenAge /= configuration.behaviour.tokenScale
        rules.accessTokenLife /= configuration.behaviour.tokenScale
        audit = Audit(hosts: HostName.allCases.count, rules)
        let tokenURI = Self.url(of: .oauth, at: listeners)
        deciders = Deciders(configuration, tokenURI: tokenURI, at: wallNow)
        writer = AnswerWriter(fcm: deciders.fcm.bodies)
        cannedAnswers = deciders.cannedAnswers
        if deciders.faults.watchInterval != nil { nextWatch = now }
        if deciders.faults.has(.oauth) { tokensEndAt = deciders.faults[.oauth].tokensEndAt }
        toBeFlushed.reserveCapacity(configuration.mostConnections)
    }

    /// The URL of the control port.
    package var controlURL: String { "http://\(controlListener.address)" }

    /// The URL of each port.
    package var urls: [HostPort: String] {
        Dictionary(uniqueKeysWithValues: HostPort.allCases.map { ($0, Self.url(of: $0, at: listeners)) })
    }

    /// Serves until it is told to stop, then closes all connections.
    package func run() throws(MockError) -> MockSummary {
        do throws(TransportError) {
            try watchListeners(true)
            try poller.add(controlListener.descriptor, tag: Self.controlTags, interest: .read)
            while !isToEnd { try turn() }
            try watchListeners(false)
            try poller.remove(controlListener.descriptor)
        } catch {
            throw .system(error)
        }
        for control in controls.values { close(control) }
        isStopping = true
        for connection in connections.all { close(connection) }
        return summary
    }

    /// From now on SIGINT and SIGTERM end the server in order, however many come: it has nothing to wait for.
    ///
    /// For a process that ends with the server: both signals are ignored when that has gone.
    package func stopOnSignals() throws(MockError) {
        do {
            signals = try Signals(waking: poller.waker, exitOnSecond: false, ignoresAfterwards: true)
        } catch {
            throw .system(error)
        }
    }

    /// Looked at wherever a client could keep the loop busy for as long as it likes.
    var isToEnd: Bool { stopper.isStopped || signals.map { $0.count > 0 } ?? false }

    /// What has happened so far.
    package var summary: MockSummary {
        MockSummary(
            answers: HostName.allCases.flatMap(tally.rows),
            connections: HostName.allCases.map { host in
                let count = tally[host]
                return .init(
                    host: host.name,
                    accepted: count.accepted,
                    secured: count.secured,
                    mostOpen: count.mostOpen,
                    turnedAway: count.turnedAway,
                    faulty: count.faulty
                )
            },
            abandoned: tally.abandoned,
            refusedStreams: tally.refusedStreams,
            audit: auditReport,
            delayed: deciders.fcm.delayed,
            signatureChecks: deciders.signatureChecks,
            seconds: Double(MonotonicClock.now() - started.monotonic) / 1e9,
            cpuSeconds: Double(CPUClock.process() - started.cpu) / 1e9
        )
    }

    /// One turn of the loop.
    private func turn() throws(TransportError) {
        try poller.wait(until: min(answers.nextDue ?? .max, nextSweep, nextWatch), at: MonotonicClock.now())
        now = MonotonicClock.now()
        wallNow = WallClock.now() + clockSkew
        while let event = poller.next() {
            if event.isWakeUp { continue }
            if event.tag & Self.controlTags != 0 {
                try serveControl(event.tag)
            } else if event.tag & Self.listenerTags != 0 {
                try accept(Int(event.tag & ~Self.listenerTags))
            } else {
                handle(event)
            }
        }
        if now >= nextWatch { try watchFaults() }
        sendDueAnswers()
        flushAll()
        if now >= nextSweep { try sweep() }
    }

    private func handle(_ event: Poller.Event) {
        guard let connection = connections[ConnectionHandle(tag: event.tag)] else { return }
        if nextWatch != .max, freeze(connection) { return }
        serve(connection)
    }

    /// Accepts every connection that waits.
    private func accept(_ index: Int) throws(TransportError) {
        let entry = listeners[index]
        let host = entry.port.host
        if nextWatch != .max, try freezeListener(index) { return }
        do throws(TransportError) {
            while let accepted = try entry.listener.accept() {
                tally[host].accepted += 1
                if connections.isFull {
                    tally[host].turnedAway += 1
                } else {
                    open(accepted, at: entry.port, context: contexts[host])
                }
            }
        } catch .tooManyDescriptors {
            // The sweep, or the end of another connection, watches them again.
            try watchListeners(false)
        }
    }

    /// Once a second: ends what takes too long, and accepts again if descriptors had run out.
    private func sweep() throws(TransportError) {
        nextSweep = now + 1_000_000_000
        for connection in connections.all {
            if let deadline = connection.deadline, deadline <= now { expire(connection) }
        }
        for control in controls.values where control.deadline <= now { close(control) }
        try watchListeners(true)
    }

    private func watchListeners(_ wanted: Bool) throws(TransportError) {
        guard wanted != areListenersWatched else { return }
        areListenersWatched = wanted
        for (index, entry) in listeners.enumerated() {
            if frozenListeners.contains(index) { continue }
            if wanted {
                try poller.add(entry.listener.descriptor, tag: Self.listenerTags | UInt64(index), interest: .read)
            } else {
                try poller.remove(entry.listener.descriptor)
            }
        }
    }
}
