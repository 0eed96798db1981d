import Fleet
import HTTP2
import LoadPlan
import Push
import Sending

/// The requests of one lane, laid out before the run: a template for each app and message, and the bodies.
struct RequestCatalogue: Sendable {
    /// For each app, one template a message: `app * messages + message`.
    let templates: [RequestTemplate]
    /// Bodies by message that serve every push; nil where something of the device stands in them.
    let sharedBodies: [SharedBytes?]
    /// The same by message, to be filled in.
    let layouts: [BodyLayout]
    /// The apps' topics, for bodies that name them.
    let apps: [SharedBytes]
    /// The longest body that is written per push; 0 for APNs.
    let requestBodyLimit: Int
    private let messages: Int
    /// Running sums of the messages' weights.
    private let weights: [UInt64]

    /// The requests of an APNs lane.
    init(apns messages: [Message], apps: [String], authority: String, wallNow: Int64) {
        let pushes = messages.map { APNsMessage($0, wallNow: wallNow) }
        let templates = apps.flatMap { app in
            pushes.map { RequestTemplate($0.fields(authority: authority, bundleID: app)) }
        }
        self.init(templates, bodies: pushes.map { BodyLayout($0.payload) }, of: messages, apps: apps)
    }

    /// The requests of an FCM lane.
    init(fcm messages: [Message], project: String, apps: [String], authority: String, validateOnly: Bool) {
        let template = RequestTemplate(FCMMessage.fields(authority: authority, project: project))
        self.init(
            Array(repeating: template, count: max(apps.count, 1) * messages.count),
            bodies: messages.map { BodyLayout(Array($0.fcmBody(validateOnly: validateOnly).utf8)) },
            of: messages,
            apps: apps
        )
    }

    private init(_ templates: [RequestTemplate], bodies: [BodyLayout], of messages: [Message], apps: [String]) {
        self.templates = templates
        layouts = bodies
        sharedBodies = bodies.map { $0.constant.map { SharedBytes($0) } }
        requestBodyLimit = bodies.filter { $0.constant == nil }.map(\.longest).max() ?? 0
        self.apps = apps.map { SharedBytes(Array($0.utf8)) }
        self.messages = messages.count
        weights = Self.runningSums(messages)
    }

    /// The body of a push.
    ///
    /// - Parameter memory: at least ``requestBodyLimit`` bytes that are the push's own until its stream ends.
    func body(
        _ message: Int,
        of device: Device,
        token: UnsafeRawBufferPointer,
        in memory: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        if let shared = sharedBodies[message] { return shared.bytes }
        let app = device.app < apps.count ? apps[device.app].bytes : UnsafeRawBufferPointer(start: nil, count: 0)
        let length = layouts[message].write(index: device.index, token: token, app: app, into: memory)
        return UnsafeRawBufferPointer(rebasing: memory[..<length])
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
