import HTTP2
import LoadPlan
import Sending
import Transport

/// Why a connection takes no more streams, though those that it has go on; in the words of `connections.csv`.
enum DrainCause: String {
    case goAway = "peer's GOAWAY"
    case streamsUsedUp = "stream identifiers used up"
    case keyChange = "key change"
}

/// One place of a lane's pool: the socket that it has now, the HTTP/2 session on it and the pushes in flight.
///
/// It carries out what ``ConnectionState`` decides; it knows nothing of plans or results. Its connections follow one
/// another, each with a row of its own in `connections.csv`. Confined to its worker.
final class PushConnection<Session: ClientSession> {
    /// One TLS record: frames are gathered so far before they are written.
    private static var outputSize: Int { 16 << 10 }

    let place: Int
    let tag: UInt64
    private let worker: Int
    let setup: LaneSetup
    /// Whether it is a client certificate that says who we are, and no token.
    let usesCertificate: Bool
    var state: ConnectionState
    var slots: SlotTable
    /// Of the connection at hand; times are monotonic until the run's end.
    var measurement: ConnectionMeasurement
    /// Position of the address that the connection goes to.
    private(set) var address = 0
    private(set) var socket: TLSSocket?
    private(set) var session: Session? {
        didSet { hasSession = session != nil }
    }
    private(set) var hasSession = false
    private(set) var templates: [TemplateID] = []
    /// Something may be waiting to be written.
    var needsFlush = false
    /// Before this time no push in flight is overdue; `Int64.max` with none in flight.
    var overdueAt = Int64.max
    /// Streams that were given up here and perhaps not there.
    var givenUp = GivenUpStreams()
    /// Which of the lane's keys the connection at hand began with.
    private(set) var keyNumber = 0
    /// How many times pushes' HEADERS were written on the connection at hand.
    var attempts: UInt64 = 0
    /// Why the connection at hand takes no more streams, once it doesn't.
    var drainCause = DrainCause.goAway
    private let output: UnsafeMutableRawBufferPointer
    /// What of `output` the kernel has not taken yet.
    private var pending = 0..<0
    private(set) var readCalls: UInt64 = 0
    private(set) var writeCalls: UInt64 = 0
    private var closedAllocations: UInt64 = 0

    init(place: Int, worker: Int, setup: LaneSetup, usesCertificate: Bool) {
        self.place = place
        tag = UInt64(setup.index) << 32 | UInt64(place)
        self.worker = worker
        self.setup = setup
        self.usesCertificate = usesCertificate
        state = ConnectionState(
            limits: ConnectionState.Limits(
                connect: setup.timeouts.connect,
                handshake: setup.timeouts.handshake,
                keepAlive: setup.timeouts.keepAlive,
                pong: setup.timeouts.connect,
                idle: setup.timeouts.idle ?? .max
            )
        )
        slots = SlotTable(count: setup.slotsPerConnection, requestBodyLimit: setup.catalogue.requestBodyLimit)
        measurement = ConnectionMeasurement(lane: setup.name, worker: worker, connection: place)
        output = .allocate(byteCount: Self.outputSize, alignment: 64)
    }

    deinit {
        output.deallocate()
    }

    /// How many more pushes may start here now.
    var room: Int {
        guard let session else { return 0 }
        return room(of: session)
    }

    /// The same for whoever has the connection's session at hand already.
    @inline(__always)
    func room(of session: Session) -> Int {
        guard state.acceptsStreams else { return 0 }
        return min(session.streamLimit, slots.count) - session.openStreams - givenUp.held
    }

    /// When the connection next has something to do by itself.
    var timer: Int64 { min(state.timer, overdueAt, givenUp.deadline) }

    /// Allocations made inside the protocol library since the run began.
    var libraryAllocations: UInt64 { closedAllocations + (session?.counters.libraryAllocations ?? 0) }

    // MARK: Coming up

    /// Begins to connect; what comes of it is reported by the poller.
    ///
    /// - Parameters:
    ///   - number: the connection's own, for its row.
    ///   - address: position among the lane's addresses.
    func open(number: Int, address: Int, on poller: Poller, at now: Int64) throws(ConnectionFailure) {
        self.address = address
        measurement = ConnectionMeasurement(lane: setup.name, worker: worker, connection: number)
        measurement.opened = now
        measurement.credential = usesCertificate ? "certificate" : "token"
        attempts = 0
        drainCause = .goAway
        let context = usesCertificate ? setup.certificate?.tls ?? setup.tls : setup.tls
        do throws(TransportError) {
            let socket = try TLSSocket.connect(
                to: setup.route.addresses[address],
                serverName: setup.route.serverName,
                context: context,
                through: setup.route.tunnel
            )
            self.socket = socket
            try poller.add(socket.descriptor, tag: tag, interest: socket.interest)
        } catch {
            throw ConnectionFailure(error)
        }
    }

    /// Takes the TLS handshake further; true once it is done and the session stands.
    ///
    /// - Parameter keyNumber: which of the lane's keys `authorization` was signed with.
    func shakeHands(authorization: String, keyNumber: Int) throws(ConnectionFailure) -> Bool {
        guard let socket else { preconditionFailure("a handshake without a socket") }
        switch socket.handshake() {
        case .wants:
            return false
        case .failed:
            throw ConnectionFailure(socket.failure)
        case .done:
            self.keyNumber = keyNumber
            if keyNumber > 0, !usesCertificate { measurement.credential = "next token" }
            try startSession(authorization: authorization)
            return true
        }
    }

    private func startSession(authorization: String) throws(ConnectionFailure) {
        do throws(HTTP2Error) {
            let session = try Session(settings: ClientSettings(slots: setup.slotsPerConnection))
            let requests = usesCertificate ? setup.catalogue.templatesWithoutToken : setup.catalogue.templates
            templates = requests.map { session.prepare($0) }
            self.session = session
        } catch {
            throw ConnectionFailure(error)
        }
        setAuthorization(authorization)
        needsFlush = true
    }

    /// Gives all templates another provider token or access token.
    func setAuthorization(_ value: String) {
        guard !usesCertificate else { return }
        for template in templates { session?.replaceField(named: "authorization", in: template, with: value) }
    }

    // MARK: Bytes

    /// One read; what came is handed to the session.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionFailure) -> Bool {
        guard let socket, let session else { return false }
        readCalls += 1
        switch socket.read(into: buffer) {
        case .bytes(let count):
            session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        case .wouldBlock:
            return false
        case .closed:
            throw ConnectionFailure.closedByPeer
        case .failed:
            throw ConnectionFailure(socket.failure)
        }
    }

    /// Writes what the session has ready, until nothing is left or the kernel takes no more.
    ///
    /// - Parameter collected: called after frames were gathered, so that the events of written pushes are taken.
    func flush(_ collected: () throws(ConnectionFailure) -> Void) throws(ConnectionFailure) {
        needsFlush = false
        // What fills more than one record goes through the kernel together, but for the first, which goes at once.
        var records = 0
        defer { if records > 1 { socket?.release() } }
        while true {
            if pending.isEmpty, try !gather() { return }
            try collected()
            records += 1
            if records == 2 { socket?.hold() }
            guard try writePending() else { return }
        }
    }

    private func gather() throws(ConnectionFailure) -> Bool {
        guard let session else { return false }
        do throws(HTTP2Error) {
            pending = 0..<(try session.collect(into: output))
        } catch {
            throw ConnectionFailure(error)
        }
        return !pending.isEmpty
    }

    /// True when all was taken.
    private func writePending() throws(ConnectionFailure) -> Bool {
        guard let socket else { return false }
        while !pending.isEmpty {
            writeCalls += 1
            switch socket.write(from: UnsafeRawBufferPointer(rebasing: output[pending])) {
            case .bytes(let count): pending = (pending.lowerBound + count)..<pending.upperBound
            case .wouldBlock: return false
            case .failed: throw ConnectionFailure(socket.failure, kind: .writeLost)
            }
        }
        return true
    }

    /// Tells the poller what the socket waits for now.
    func updateInterest(on poller: Poller) throws(ConnectionFailure) {
        guard let socket, socket.descriptor >= 0 else { return }
        do throws(TransportError) {
            try poller.modify(socket.descriptor, interest: socket.interest)
        } catch {
            throw ConnectionFailure(error)
        }
    }

    // MARK: Streams that were given up

    /// Sends a PING.
    func ping(at now: Int64) throws(HTTP2Error) {
        try session?.ping()
        givenUp.pinged(at: now, limit: setup.timeouts.connect)
        needsFlush = true
    }

    // MARK: Ends

    /// Says GOAWAY before the connection is closed from this side.
    func sayGoodbye() {
        guard let session else { return }
        do throws(HTTP2Error) {
            try session.goAway(code: .noError)
        } catch {
            // The session has failed, and has its own last words.
        }
        sayLastWords()
    }

    /// Writes what the session still has to say, as far as the socket takes it: the connection is about to be closed.
    func sayLastWords() {
        do throws(ConnectionFailure) {
            try flush {}
        } catch {
            // Whatever is wrong, nothing more can be said.
        }
    }

    /// Lets go of socket and session; what was in flight is the caller's to account for.
    func close(on poller: Poller) {
        if let socket {
            if poller.isWatching(socket.descriptor) { try? poller.remove(socket.descriptor) }
            measurement.bytesIn += socket.bytesIn
            measurement.bytesOut += socket.bytesOut
            let timings = socket.timings
            if timings.connected > 0 { measurement.connect = timings.connected - timings.started }
            socket.close()
        }
        closedAllocations += session?.counters.libraryAllocations ?? 0
        socket = nil
        session = nil
        templates = []
        pending = 0..<0
        needsFlush = false
        overdueAt = .max
        givenUp = GivenUpStreams()
    }
}
