import Fleet
import HTTP2
import LoadPlan
import Push

/// The requests of one lane, laid out before the run: a template for each app and message, and the bodies.
struct RequestCatalogue: Sendable {
    /// For each app, one template a message: `app * messages + message`.
    let templates: [RequestTemplate]
    /// APNs payloads by message; the same bytes serve every push.
    let payloads: [SharedBytes]
    /// FCM bodies by message.
    let bodies: [FCMMessage]
    /// The longest body that is written per push; 0 for APNs.
    let requestBodyLimit: Int
    private let messages: Int
    /// Running sums of the messages' weights.
    private let weights: [UInt64]

    /// The requests of an APNs lane.
    init(apns messages: [Message], apps: [String], authority: String, wallNow: Int64) {
        let pushes = messages.map { APNsMessage($0, wallNow: wallNow) }
        templates = apps.flatMap { app in
            pushes.map { RequestTemplate($0.fields(authority: authority, bundleID: app)) }
        }
        payloads = pushes.map { SharedBytes($0.payload) }
        bodies = []
        requestBodyLimit = 0
        self.messages = messages.count
        weights = Self.runningSums(messages)
    }

    /// The requests of an FCM lane.
    init(fcm messages: [Message], project: String, apps: Int, authority: String) {
        let template = RequestTemplate(FCMMessage.fields(authority: authority, project: project))
        templates = Array(repeating: template, count: apps * messages.count)
        payloads = []
        bodies = messages.map { FCMMessage($0) }
        requestBodyLimit = bodies.map { $0.bodyLength(tokenLength: Fleet.maximumTokenLength) }.max() ?? 0
        self.messages = messages.count
        weights = Self.runningSums(messages)
    }

    private static func runningSums(_ messages: [Message]) -> [UInt64] {
        var sum: UInt64 = 0
        return messages.map { message in
            sum += UInt64(message.weight)
            return sum
        }
    }

    /// The message of a push, drawn by weight: a pure function of the push's hash.
    func message(hash: UInt64) -> Int {
        guard messages > 1, let total = weights.last, total > 0 else { return 0 }
        let drawn = hash % total
        return weights.firstIndex { drawn < $0 } ?? 0
    }

    /// The position of a template in ``templates``.
    func template(app: Int, message: Int) -> Int { app * messages + message }
}

/// Bytes at a fixed address for as long as anything refers to them; never written after they were made.
final class SharedBytes: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    init(_ array: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(array.count, 1), alignment: 16)
        memory.copyBytes(from: array)
        bytes = UnsafeRawBufferPointer(rebasing: memory[..<array.count])
        owner = memory
    }

    private let owner: UnsafeMutableRawBufferPointer

    deinit { owner.deallocate() }
}

extension RequestTemplate {
    fileprivate init(_ fields: [RequestField]) {
        self.init(
            fields: fields.map { field in
                switch field.role {
                case .fixed: HeaderField(field.name, field.value)
                case .path: HeaderField(field.name, .path)
                case .apnsID: HeaderField(field.name, .apnsID)
                case .authorization: HeaderField(field.name, "", indexing: .neverIndexed)
                }
            }
        )
    }
}

extension APNsMessage {
    /// The message of a profile in APNs form.
    fileprivate init(_ message: Message, wallNow: Int64) {
        guard let type = PushType(rawValue: message.pushType) else {
            preconditionFailure("the profile let push type \(message.pushType) through")
        }
        let size = message.payloadBytes ?? Message.standardPayloadBytes
        let generated = type == .background ? Payload.background : Payload.alert(bytes: size)
        self.init(
            pushType: type,
            priority: message.priority,
            expiration: message.ttl.map { $0 == 0 ? 0 : wallNow / Nanoseconds.second + $0 },
            collapseID: message.collapseKey,
            payload: message.payload.map { Array($0.utf8) } ?? generated
        )
    }
}

extension FCMMessage {
    /// The message of a profile in FCM form.
    fileprivate init(_ message: Message) {
        let size = message.payloadBytes ?? Message.standardPayloadBytes
        var parts: [String] = []
        if let payload = message.payload {
            // A literal payload is an APNs payload; FCM carries it to Apple devices as it stands.
            parts.append("\"apns\":{\"payload\":\(payload)}")
        } else if message.pushType == PushType.background.rawValue {
            parts.append("\"data\":{\"content-available\":\"1\"}")
        } else {
            parts.append(Payload.notification(bytes: size))
        }
        var android = ["\"priority\":\"\(message.priority == 10 ? "HIGH" : "NORMAL")\""]
        if let ttl = message.ttl { android.append("\"ttl\":\"\(ttl)s\"") }
        if let key = message.collapseKey { android.append("\"collapse_key\":\(key.jsonQuoted)") }
        parts.append("\"android\":{\(android.joined(separator: ","))}")
        self.init(rest: parts.joined(separator: ","))
    }
}

extension String {
    /// The text as a JSON string.
    fileprivate var jsonQuoted: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{00}"..<"\u{20}":
                let code = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
