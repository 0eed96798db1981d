import HTTP2
import MockHosts
import Transport

/// A sender over one HTTP/2 connection, made of our own client session.
final class TestSender {
    struct Response: Equatable {
        var status = 0
        var body: [UInt8] = []
        var retryAfter = ""
        var code: HTTP2ErrorCode?

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let wire: Wire
    let session: NGHTTP2ClientSession
    private(set) var responses: [UInt32: Response] = [:]
    /// The stream limits of the SETTINGS frames that came.
    private(set) var limits: [Int] = []
    private(set) var goAway: (code: HTTP2ErrorCode, debug: String)?
    private(set) var goAwayLast: UInt32?
    private(set) var goAways = 0
    private(set) var pongs = 0
    /// The provider token that it uses, once it has one.
    var token: String?
    private var last: (template: TemplateID, variables: RequestVariables)?
    private var memory: [UnsafeMutableRawBufferPointer] = []

    init(to host: HostPort, of mock: MockFixture, identity: TLSContext.Identity? = nil) throws {
        wire = try Wire(to: host, of: mock, identity: identity)
        session = try NGHTTP2ClientSession(settings: ClientSettings(slots: 4096))
    }

    deinit {
        for block in memory { block.deallocate() }
    }

    /// Hands over a request; its response comes into `responses` under the slot.
    func submit(
        _ slot: UInt32,
        path: String,
        headers: [(String, String)] = [],
        body: String
    ) throws {
        let fields =
            [
                HeaderField(":method", "POST"), HeaderField(":scheme", "https"),
                HeaderField(":authority", "localhost"), HeaderField(":path", .path),
            ]
            + headers.map { name, value in
                HeaderField(name, value, indexing: name == "authorization" ? .neverIndexed : .indexed)
            }
        let template = session.prepare(RequestTemplate(fields: fields))
        let variables = RequestVariables(path: keep(path), body: keep(body))
        last = (template, variables)
        try session.submit(template, variables, slot: slot)
        responses[slot] = Response()
    }

    /// The request that was submitted last, and its response.
    func repeatLast(_ slot: UInt32) throws {
        guard let last else { return }
        try session.submit(last.template, last.variables, slot: slot)
        responses[slot] = Response()
        try wait(for: [slot])
    }

    /// Waits until these requests are over.
    func wait(for slots: some Sequence<UInt32>) throws {
        let wanted = Array(slots)
        try run { sender in wanted.allSatisfy { sender.responses[$0]?.code != nil } }
    }

    /// Writes what was submitted, without waiting for anything.
    func flush() throws {
        var turns = 0
        try run { _ in
            turns += 1
            return turns > 1
        }
    }

    func run(until isDone: (TestSender) -> Bool) throws {
        try wire.run(session, until: { isDone(self) }, take)
    }

    /// One request and its response.
    func send(
        path: String,
        headers: [(String, String)] = [],
        body: String
    ) throws -> Response {
        try submit(0, path: path, headers: headers, body: body)
        try wait(for: [0])
        return responses[0] ?? Response()
    }

    private func take(_ event: ClientEvent) {
        switch event.kind {
        case .headers:
            responses[event.slot]?.status = Int(event.status)
            responses[event.slot]?.retryAfter = String(decoding: event.bytes, as: UTF8.self)
        case .data: responses[event.slot]?.body += Array(event.bytes)
        case .closed: responses[event.slot]?.code = event.code
        case .settings: limits.append(Int(event.number))
        case .goAway:
            goAway = (event.code, String(decoding: event.bytes, as: UTF8.self))
            goAwayLast = event.number
            goAways += 1
        case .pong: pongs += 1
        case .written: break
        }
    }

    private func keep(_ text: String) -> UnsafeRawBufferPointer {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        block.copyBytes(from: text.utf8)
        memory.append(block)
        return UnsafeRawBufferPointer(block)
    }
}

/// Requests as good senders make them.
enum GoodRequest {
    static let deviceToken = String(repeating: "0123456789abcdef", count: 4)
    static let apnsPath = "/3/device/" + deviceToken
    static let payload = #"{"aps":{"alert":"hello"}}"#
    static let fcmPath = "/v1/projects/example-project/messages:send"
    static let fcmToken = "c0123456789abcdefghijk:APA91b" + String(repeating: "x", count: 120)
    static let fcmBody = #"{"message":{"token":"\#(fcmToken)"}}"#

    static func apnsHeaders(token: String) -> [(String, String)] {
        [("authorization", "bearer " + token), ("apns-topic", "com.example.app"), ("apns-push-type", "alert")]
    }
}
