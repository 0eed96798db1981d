@testable import HTTP2

/// Bytes that a slot owns while its request is open, as a caller of `ClientSession` must.
final class SlotMemory {
    private(set) var path: UnsafeMutableRawBufferPointer
    private(set) var apnsID: UnsafeMutableRawBufferPointer
    private(set) var body: UnsafeMutableRawBufferPointer

    init(path: [UInt8], apnsID: [UInt8], body: [UInt8]) {
        self.path = Self.copy(path)
        self.apnsID = Self.copy(apnsID)
        self.body = Self.copy(body)
    }

    deinit {
        // Overwritten first, so that a session which still reads it is found out.
        for memory in [path, apnsID, body] {
            for index in memory.indices { memory[index] = 0xEE }
            memory.deallocate()
        }
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
        return memory
    }

    var variables: RequestVariables {
        RequestVariables(
            path: UnsafeRawBufferPointer(path),
            apnsID: UnsafeRawBufferPointer(apnsID),
            body: UnsafeRawBufferPointer(body)
        )
    }
}

/// What came of one request, as a caller saw it; traps when the session's events make no sense together.
struct Outcome: Equatable {
    var path = ""
    var written = false
    var status: UInt16 = 0
    var retryAfter = ""
    var body: [UInt8] = []
    var ended = false
    var code = HTTP2ErrorCode.noError
}

/// The client sessions, for tests that hold for each of them.
enum SessionKind: CaseIterable {
    case nghttp2
    case direct

    func make(_ settings: ClientSettings) throws -> any ClientSession {
        switch self {
        case .nghttp2: try NGHTTP2ClientSession(settings: settings)
        case .direct: try DirectClientSession(settings: settings)
        }
    }
}

/// A client session and a server session that exchange bytes in memory, with a caller's slots on the client's side.
///
/// It is a model of a lawful caller: slots are taken when free only, their memory lives exactly as long as promised.
final class Loopback {
    let client: any ClientSession
    let server: ServerSession
    let template: TemplateID
    private var memory: [SlotMemory?]
    private var open: [Outcome]
    private(set) var finished: [Outcome] = []
    private(set) var otherEvents: [(kind: ClientEvent.Kind, number: UInt32, code: HTTP2ErrorCode, bytes: String)] = []
    private(set) var serverEvents: [(kind: ServerEvent.Kind, stream: Int32, code: HTTP2ErrorCode, number: UInt32)] = []
    private(set) var peakOnWire = 0
    private var onWire = 0
    /// How many bytes are handed over at one time; small numbers cut frames everywhere.
    var chunk = 1 << 20
    var bufferSize = 16384
    /// Every byte each side has sent.
    private(set) var clientBytes: [UInt8] = []
    private(set) var serverBytes: [UInt8] = []
    /// Called for every complete request.
    var onRequest: (ServerSession, StreamHandle, RequestView) throws -> Void = { _, _, _ in }

    init(
        _ kind: SessionKind,
        slots: Int = 1024,
        server settings: ServerSettings = ServerSettings(),
        client clientSettings: ClientSettings? = nil,
        fields: [HeaderField] = Loopback.apnsFields
    ) throws {
        client = try kind.make(clientSettings ?? ClientSettings(slots: slots))
        server = try ServerSession(settings: settings)
        template = client.prepare(RequestTemplate(fields: fields))
        memory = Array(repeating: nil, count: slots)
        open = Array(repeating: Outcome(), count: slots)
    }

    static var apnsFields: [HeaderField] {
        [
            HeaderField(":method", "POST"), HeaderField(":scheme", "https"), HeaderField(":path", .path),
            HeaderField(":authority", "api.push.apple.com"),
            HeaderField("authorization", "bearer " + String(repeating: "t0K.", count: 50), indexing: .neverIndexed),
            HeaderField("apns-topic", "com.example.app"), HeaderField("apns-push-type", "alert"),
            HeaderField("apns-id", .apnsID), HeaderField("content-length", .contentLength),
        ]
    }

    func freeSlot() -> UInt32? {
        memory.firstIndex { $0 == nil }.map { UInt32($0) }
    }

    @discardableResult
    func submit(path: String, apnsID: String = "", body: [UInt8] = Array("{}".utf8)) throws -> UInt32 {
        guard let slot = freeSlot() else { preconditionFailure("no free slot") }
        let owned = SlotMemory(path: Array(path.utf8), apnsID: Array(apnsID.utf8), body: body)
        try client.submit(template, owned.variables, slot: slot)
        memory[Int(slot)] = owned
        open[Int(slot)] = Outcome(path: path)
        return slot
    }

    /// Both sides send what they have until neither has any more.
    func run() throws {
        while try turn() {}
    }

    /// One turn of both sides.
    ///
    /// - Returns: Whether any byte went either way.
    func turn() throws -> Bool {
        let out = try clientOut()
        try serverIn(out)
        let back = try collect(server.collect)
        serverBytes += back
        try takeServerEvents()
        try clientIn(back)
        return !out.isEmpty || !back.isEmpty
    }

    func clientOut() throws -> [UInt8] {
        let out = try collect(client.collect)
        clientBytes += out
        try takeClientEvents()
        return out
    }

    func serverIn(_ bytes: [UInt8]) throws {
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try Array(bytes[start..<min(start + chunk, bytes.count)])
                .withUnsafeBytes { part in
                    server.receive(part)
                    try takeServerEvents()
                }
        }
    }

    func clientIn(_ bytes: [UInt8]) throws {
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try Array(bytes[start..<min(start + chunk, bytes.count)])
                .withUnsafeBytes { part in
                    client.receive(part)
                    try takeClientEvents()
                }
        }
    }

    private func collect(_ give: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try give(buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private func takeServerEvents() throws {
        while let event = try server.nextEvent() {
            if event.kind == .request {
                guard let view = server.request(event.stream) else { preconditionFailure("a request without a view") }
                try onRequest(server, event.stream, view)
            } else {
                serverEvents.append((event.kind, event.stream.stream, event.code, event.number))
            }
        }
    }

    private func takeClientEvents() throws {
        while let event = try client.nextEvent() { take(event) }
    }

    private func take(_ event: ClientEvent) {
        let slot = Int(event.slot)
        switch event.kind {
        case .settings, .goAway, .pong:
            otherEvents.append(
                (event.kind, event.number, event.code, String(decoding: event.bytes, as: UTF8.self))
            )
        case .written:
            precondition(memory[slot] != nil && !open[slot].written, "written twice, or for a free slot")
            open[slot].written = true
            onWire += 1
            peakOnWire = max(peakOnWire, onWire)
        case .headers:
            precondition(open[slot].written && open[slot].status == 0, "headers twice, or before the request went out")
            open[slot].status = event.status
            open[slot].retryAfter = String(decoding: event.bytes, as: UTF8.self)
            open[slot].ended = event.endStream
        case .data:
            precondition(open[slot].status != 0 && !open[slot].ended && !event.bytes.isEmpty, "data out of place")
            open[slot].body += event.bytes
        case .closed:
            precondition(memory[slot] != nil, "closed for a free slot")
            if open[slot].written { onWire -= 1 }
            open[slot].ended = event.endStream
            open[slot].code = event.code
            finished.append(open[slot])
            memory[slot] = nil
        }
    }
}
