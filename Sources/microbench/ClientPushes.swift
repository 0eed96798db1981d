import HTTP2
import Push

/// The requests of an APNs lane on one client session, without a socket: what a benchmark of sessions drives.
///
/// The same work as `scripts/bench-peers` gives to a connection: 250 streams, `/3/device/<64 hex>`, a token of 200
/// characters, a payload of 126 bytes.
struct ClientPushes<Session: ClientSession> {
    static var inFlight: Int { 250 }

    let session: Session
    /// One TLS record's worth of frames.
    let output = Memory(byteCount: 16_384)

    private let template: TemplateID
    /// Paths and ids of all slots, one after another, then the payload; alive as long as the session.
    private let operands: Memory
    private let pathLength: Int
    let payloadLength: Int

    init() throws {
        session = try Session(settings: ClientSettings(slots: Self.inFlight))
        template = session.prepare(Self.template)
        let prefix = APNsMessage.pathPrefix.description
        pathLength = prefix.utf8.count + 64
        let payload = Payload.alert(bytes: 126)
        payloadLength = payload.count
        operands = Memory(byteCount: Self.inFlight * (pathLength + APNsID.length) + payload.count)
        for slot in 0..<Self.inFlight {
            let start = slot * (pathLength + APNsID.length)
            let number = String(slot)
            let token = String(repeating: "a", count: 64 - number.count) + number
            operands.bytes[start...].copyBytes(from: (prefix + token).utf8)
            let id = UnsafeMutableRawBufferPointer(rebasing: operands.bytes[(start + pathLength)...])
            APNsID.write(seed: 42, lane: 0, push: UInt64(slot), into: id)
        }
        operands.bytes[(operands.bytes.count - payloadLength)...].copyBytes(from: payload)
    }

    private static var template: RequestTemplate {
        let message = APNsMessage(
            pushType: .alert,
            priority: 10,
            expiration: nil,
            collapseID: nil,
            payload: Payload.alert(bytes: 126)
        )
        let token = "bearer " + String(repeating: "abcdefghij0123456789", count: 10)
        let fields = message.fields(authority: "127.0.0.1:8443", bundleID: "com.example.app")
        return RequestTemplate(fields: fields.map { HeaderField($0, authorization: token) })
    }

    /// Hands over requests for the first `count` slots.
    func submit(_ count: Int) throws {
        for slot in 0..<count {
            let start = slot * (pathLength + APNsID.length)
            let path = operands.part(start..<(start + pathLength))
            let id = operands.part((start + pathLength)..<(start + pathLength + APNsID.length))
            let body = operands.part((operands.bytes.count - payloadLength)..<operands.bytes.count)
            try session.submit(template, RequestVariables(path: path, apnsID: id, body: body), slot: UInt32(slot))
        }
    }

    /// Takes events until there is none and returns how many requests were completed.
    func takeEvents() throws -> Int {
        var completed = 0
        while let event = try session.nextEvent() {
            if event.kind == .closed { completed += event.code == .noError ? 1 : 0 }
        }
        return completed
    }
}

extension HeaderField {
    /// A field of a push's request as the session wants it.
    fileprivate init(_ field: RequestField, authorization: String) {
        switch field.role {
        case .fixed: self.init(field.name, field.value)
        case .path: self.init(field.name, .path)
        case .apnsID: self.init(field.name, .apnsID)
        case .authorization: self.init(field.name, authorization, indexing: .neverIndexed)
        }
    }
}
