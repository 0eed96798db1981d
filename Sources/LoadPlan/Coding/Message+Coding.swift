extension Message {
    static let keys = [
        "name", "weight", "pushType", "priority", "payloadBytes", "payload", "mutableContent", "topic",
        "ttl", "collapseKey", "fcm",
    ]
    /// Room for the fixed parts of an alert in both services' forms.
    package static let smallestPayload = 64
    /// 28 days, the longest that FCM stores a message; APNs takes 30.
    package static let longestTTL = 28 * Nanoseconds.day

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["name"] { name = try field.text() }
        if let field = object["weight"] { weight = try field.whole(in: 1...10_000) }
        if let field = object["pushType"] { pushType = try field.word(of: Self.pushTypes) }
        priority = Self.priorities(pushType: pushType).last ?? priority
        if let field = object["priority"] { priority = try field.whole(in: 1...10) }
        if let field = object["payloadBytes"] { payloadBytes = try field.whole(in: Self.smallestPayload...5120) }
        if let field = object["payload"] { payload = try field.objectText() }
        if let field = object["mutableContent"] { mutableContent = try field.flag() }
        if let field = object["topic"] { topic = try field.text(longest: 255) }
        if let field = object["ttl"] { ttl = try Self.seconds(field) }
        if let field = object["collapseKey"] { collapseKey = try field.text(longest: 64) }
        if let field = object["fcm"] { fcm = try FCMOptions(field) }
    }

    private static func seconds(_ field: Field) throws(ProfileError) -> Int64 {
        let duration = try field.duration(in: 0...longestTTL)
        guard duration % Nanoseconds.second == 0 else { throw field.wrong(allowed: "whole seconds") }
        return duration / Nanoseconds.second
    }

    var node: JSONNode {
        .object([
            "name": name.map { .string($0) }, "weight": .number(weight), "pushType": .string(pushType),
            "priority": .number(priority), "payloadBytes": payloadBytes.map { .number($0) },
            "payload": payload.map { .string($0) },
            "ttl": ttl.map { .string(Quantity.text(duration: $0 * Nanoseconds.second)) },
            "collapseKey": collapseKey.map { .string($0) },
            "mutableContent": .bool(mutableContent), "topic": topic.map { .string($0) },
            "fcm": fcm == FCMOptions() ? nil : fcm.node,
        ])
    }
}

extension Field {
    /// The text of an object, which stands in the profile as it is or as a string that holds it.
    func objectText() throws(ProfileError) -> String {
        switch node.value {
        case .object:
            return JSONWriter.compact(node)
        case .string(let text):
            guard let node = try? JSONReader.read(text), case .object = node.value else { break }
            return text
        default:
            break
        }
        throw wrong(allowed: "a JSON object, or a string with the text of one")
    }
}
