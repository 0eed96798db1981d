import Glibc
import HTTP2
import LoadPlan
import Transport

/// The loop of a scripted host; belongs to its thread.
final class ScriptedLoop {
    private struct Pending {
        var due: Int64
        var connection: Int
        var stream: StreamHandle
        /// nil for a plain 200.
        var refusal: ResponseTemplate?
    }

    private static let listenerTag = UInt64(1) << 40

    let script: Script
    private(set) var ledger = Ledger()
    private var listener: Listener?
    private let port: UInt16
    private let context: TLSContext
    private let poller: Poller
    private var connections: [ScriptedConnection] = []
    /// In order of their times.
    private var pending: [Pending] = []
    private var events: [(at: Int64, event: Script.Event)]
    private var firstRequestAt: Int64?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 64)

    init(_ script: Script, listener: Listener, context: TLSContext, poller: Poller) {
        self.script = script
        self.listener = listener
        port = listener.address.port
        self.context = context
        self.poller = poller
        events = script.events
    }

    deinit { buffer.deallocate() }

    /// Serves until it is told to stop, then closes everything.
    func run(until isStopping: () -> Bool) {
        do {
            if let listener { try poller.add(listener.descriptor, tag: Self.listenerTag, interest: .read) }
            while !isStopping() { try turn() }
            // What clients said last.
            try turn()
        } catch {
            ledger.faults.append("the host itself: \(error)")
        }
        for connection in connections { close(connection) }
    }

    private func turn() throws {
        let before = MonotonicClock.now()
        try poller.wait(until: min(nextDeadline, before + 20 * Nanoseconds.millisecond), at: before)
        while let event = poller.next() {
            if event.isWakeUp { continue }
            if event.tag == Self.listenerTag { try accept() } else { serve(connections[Int(event.tag)]) }
        }
        let now = MonotonicClock.now()
        try beginHandshakes(at: now)
        try happen(at: now)
        answerDue(at: now)
        for connection in connections { flush(connection) }
    }

    private var nextDeadline: Int64 {
        var deadline = pending.first?.due ?? .max
        if let firstRequestAt, let event = events.first { deadline = min(deadline, firstRequestAt + event.at) }
        for connection in connections where connection.isDelayed { deadline = min(deadline, connection.beginsAt) }
        return deadline
    }

    // MARK: Connections

    private func accept() throws {
        while let accepted = try listener?.accept() {
            let number = ledger.accepted
            let now = MonotonicClock.now()
            ledger.accepted += 1
            ledger.acceptedAt.append(now)
            let connection = ScriptedConnection(
                number: number,
                socket: try TLSSocket(accepting: accepted, context: context)
            )
            connections.append(connection)
            switch script.greet(number) {
            case .serve, .secureOnly: connection.beginsAt = now
            case .serveLater(let delay): connection.beginsAt = now + delay
            case .close: close(connection)
            }
        }
    }

    private func beginHandshakes(at now: Int64) throws {
        for connection in connections where connection.isDelayed && connection.beginsAt <= now {
            connection.isDelayed = false
            let socket = connection.socket
            try poller.add(socket.descriptor, tag: UInt64(connection.number), interest: socket.interest)
            serve(connection)
        }
    }

    private func serve(_ connection: ScriptedConnection) {
        guard !connection.isClosed, !connection.isMute, !connection.isDelayed else { return }
        do {
            if connection.session == nil {
                switch connection.socket.handshake() {
                case .done: try open(connection)
                case .wants(let interest):
                    return try poller.modify(connection.socket.descriptor, interest: interest)
                case .failed: return close(connection)
                }
            }
            while !connection.isClosed, !connection.isMute, try read(connection) {}
        } catch {
            ledger.faults.append("connection \(connection.number): \(error)")
            close(connection)
        }
    }

    private func open(_ connection: ScriptedConnection) throws {
        ledger.secured += 1
        if case .secureOnly = script.greet(connection.number) { return try mute(connection) }
        var settings = ServerSettings(capture: .named(["apns-id"]))
        settings.announced = SettingsChange(streamLimit: script.streamLimit)
        let session = try ServerSession(settings: settings)
        connection.success = session.prepare(ResponseTemplate(status: 200))
        connection.session = session
        for deed in script.openWith(connection.number) { try perform(deed, on: connection) }
    }

    private func read(_ connection: ScriptedConnection) throws -> Bool {
        guard let session = connection.session else { return false }
        switch connection.socket.read(into: buffer) {
        case .bytes(let count):
            session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            try takeEvents(of: connection, session)
            return true
        case .wouldBlock:
            return false
        case .closed:
            ledger.cleanEnds += 1
            close(connection)
            return false
        case .failed:
            close(connection)
            return false
        }
    }

    private func takeEvents(of connection: ScriptedConnection, _ session: ServerSession) throws {
        while let event = try session.nextEvent() {
            switch event.kind {
            case .request: try take(event.stream, of: connection, session)
            case .closed:
                if event.code == .cancel { ledger.cancelled += 1 }
            case .ping: ledger.pings += 1
            case .goAway: ledger.goodbyes += 1
            case .settingsAcknowledged, .pong: break
            }
        }
    }

    private func close(_ connection: ScriptedConnection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        connection.isDelayed = false
        let descriptor = connection.socket.descriptor
        if poller.isWatching(descriptor) { try? poller.remove(descriptor) }
        connection.socket.close()
        connection.session = nil
    }

    // MARK: Requests

    private func take(_ stream: StreamHandle, of connection: ScriptedConnection, _ session: ServerSession) throws {
        guard let view = session.request(stream) else { return }
        let now = MonotonicClock.now()
        if firstRequestAt == nil { firstRequestAt = now }
        if view.isOverLimit { ledger.overLimit += 1 }
        let name = String(decoding: view.value(at: 0) ?? view.body, as: UTF8.self)
        let request = Script.Request(
            connection: connection.number,
            number: connection.requests,
            total: ledger.pushes.values.reduce(0, +),
            before: ledger.pushes[name] ?? 0,
            stream: stream.stream
        )
        ledger.pushes[name, default: 0] += 1
        connection.requests += 1
        let reaction = script.react(request)
        switch reaction.reply {
        case .answer: schedule(Pending(due: now + script.serviceTime, connection: connection.number, stream: stream))
        case .refusal(let status, let body, let retryAfter):
            let fields = retryAfter.map { [ResponseField("retry-after", $0)] } ?? []
            schedule(
                Pending(
                    due: now + script.serviceTime,
                    connection: connection.number,
                    stream: stream,
                    refusal: ResponseTemplate(status: status, fields: fields, body: Array(body.utf8))
                )
            )
        case .never: break
        case .reset(let code): session.reset(stream, code: code)
        }
        for deed in reaction.deeds { try perform(deed, on: connection) }
    }

    private func schedule(_ answer: Pending) {
        var index = pending.count
        while index > 0, pending[index - 1].due > answer.due { index -= 1 }
        pending.insert(answer, at: index)
    }

    private func answerDue(at now: Int64) {
        let due = pending.prefix { $0.due <= now }
        pending.removeFirst(due.count)
        for answer in due {
            let connection = connections[answer.connection]
            guard !connection.isMute, let session = connection.session, let success = connection.success else {
                continue
            }
            do {
                let template = answer.refusal.map { session.prepare($0) } ?? success
                if try session.respond(answer.stream, template) { ledger.answered += 1 }
            } catch {
                ledger.faults.append("connection \(connection.number): \(error)")
            }
        }
    }

    private func perform(_ deed: Script.Deed, on connection: ScriptedConnection) throws {
        guard let session = connection.session else { return }
        switch deed {
        case .goAway(let last, let code, let reason):
            try session.goAway(lastStream: last, code: code, debug: Array(reason.utf8))
        case .limit(let limit):
            try session.announce(SettingsChange(streamLimit: limit))
        case .nonsense:
            flush(connection)
            connection.say(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        case .close:
            flush(connection)
            close(connection)
        case .mute:
            flush(connection)
            try mute(connection)
        }
    }

    private func mute(_ connection: ScriptedConnection) throws {
        connection.isMute = true
        try poller.remove(connection.socket.descriptor)
    }

    private func flush(_ connection: ScriptedConnection) {
        guard !connection.isClosed, !connection.isMute, let session = connection.session else { return }
        do {
            while try connection.writeNext(of: session) {}
            try takeEvents(of: connection, session)
            if !connection.isClosed {
                try poller.modify(connection.socket.descriptor, interest: connection.socket.interest)
            }
        } catch is TransportError {
            // The client has gone; reading will say so.
        } catch {
            ledger.faults.append("connection \(connection.number): \(error)")
            close(connection)
        }
    }

    // MARK: Events

    private func happen(at now: Int64) throws {
        guard let firstRequestAt else { return }
        while let event = events.first, firstRequestAt + event.at <= now {
            events.removeFirst()
            switch event.event {
            case .freeze(let length): freeze(length)
            case .leave:
                if let listener { try poller.remove(listener.descriptor) }
                listener = nil
                for connection in connections { close(connection) }
            case .comeBack:
                let back = try Listener(on: .loopback(port: port))
                try poller.add(back.descriptor, tag: Self.listenerTag, interest: .read)
                listener = back
            case .refuseAll:
                for connection in connections where connection.session != nil {
                    try perform(.goAway(last: 0), on: connection)
                    flush(connection)
                }
            }
        }
    }

    private func freeze(_ length: Int64) {
        let from = MonotonicClock.now()
        // A wait for nothing, as a whole process that stands still would have it.
        while MonotonicClock.now() < from + length { usleep(1000) }
        ledger.frozen = (from, MonotonicClock.now())
    }
}

/// One client's connection to a scripted host.
final class ScriptedConnection {
    let number: Int
    let socket: TLSSocket
    var session: ServerSession?
    var success: ResponseTemplateID?
    /// When TLS may begin.
    var beginsAt: Int64 = 0
    var isDelayed = true
    var isMute = false
    var isClosed = false
    var requests = 0
    private var unwritten: [UInt8] = []
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 64)

    init(number: Int, socket: TLSSocket) {
        self.number = number
        self.socket = socket
    }

    deinit { output.deallocate() }

    /// Puts bytes behind those that the session has given.
    func say(_ bytes: [UInt8]) { unwritten += bytes }

    /// Writes one buffer's worth; false when nothing is left or the socket takes no more.
    func writeNext(of session: ServerSession) throws -> Bool {
        if unwritten.isEmpty {
            unwritten = Array(output.prefix(try session.collect(into: output)))
        }
        while !unwritten.isEmpty {
            switch unwritten.withUnsafeBytes({ socket.write(from: $0) }) {
            case .bytes(let count): unwritten.removeFirst(count)
            case .wouldBlock: return false
            case .failed: throw socket.failure ?? .closedWithoutNotice
            }
            if unwritten.isEmpty { return true }
        }
        return false
    }
}
