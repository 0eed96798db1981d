extension FCMOptions {
    static let keys = ["address", "topic", "condition", "notification", "data", "apns", "webpush", "analyticsLabel"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["address"] { address = try field.word(FCMAddress.self) }
        if let field = object["topic"] { topic = try field.text() }
        if let field = object["condition"] { condition = try field.text(longest: 1000) }
        if let field = object["notification"] { notification = try FCMNotification(field) }
        if let field = object["data"] { data = try field.stringMembers() }
        if let field = object["apns"] { apns = try field.objectText() }
        if let field = object["webpush"] { webpush = try field.objectText() }
        if let field = object["analyticsLabel"] { analyticsLabel = try field.text(longest: 50) }
    }

    var node: JSONNode {
        .object([
            "address": .string(address.rawValue), "topic": topic.map { .string($0) },
            "condition": condition.map { .string($0) }, "notification": notification?.node,
            "data": data.isEmpty
                ? nil : JSONNode(.object(data.map { JSONNode.Member(name: $0.key, node: .string($0.value)) })),
            "apns": apns.map { .string($0) }, "webpush": webpush.map { .string($0) },
            "analyticsLabel": analyticsLabel.map { .string($0) },
        ])
    }
}

extension FCMNotification {
    fileprivate init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: ["title", "body", "image"])
        if let field = object["title"] { title = try field.text(longest: 4096) }
        if let field = object["body"] { body = try field.text(longest: 4096) }
        if let field = object["image"] { image = try field.text(longest: 4096) }
    }

    fileprivate var node: JSONNode {
        .object([
            "title": title.map { .string($0) }, "body": body.map { .string($0) }, "image": image.map { .string($0) },
        ])
    }
}

extension Field {
    /// The members of an object of any keys whose values are strings.
    fileprivate func stringMembers() throws(ProfileError) -> [FCMDataEntry] {
        guard case .object(let members) = node.value, members.count <= 100 else {
            throw wrong(allowed: "an object of at most 100 keys with strings")
        }
        var entries: [FCMDataEntry] = []
        for member in members {
            guard case .string(let value) = member.node.value else {
                throw Field(node: member.node, path: "\(path).\(member.name)", file: file)
                    .wrong(allowed: "a string: FCM's data has no other values")
            }
            entries.append(FCMDataEntry(key: member.name, value: value))
        }
        // A map has no order, and not every coder keeps one.
        return entries.sorted { $0.key < $1.key }
    }
}
