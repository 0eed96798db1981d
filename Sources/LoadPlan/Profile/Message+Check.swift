extension Message {
    /// Checks what the services would refuse, so that it is refused before anything is sent.
    func check(path: String) throws(BrokenRule) {
        try checkPriority(path)
        if payload != nil, payloadBytes != nil {
            throw BrokenRule(path: path, message: "has both payload and payloadBytes; allowed: one of them")
        }
        let limit = Self.payloadLimit(pushType: pushType)
        let bytes = payload.map(Placeholder.longestFilled) ?? payloadBytes ?? 0
        guard bytes <= limit else {
            throw BrokenRule(
                path: path + (payload == nil ? ".payloadBytes" : ".payload"),
                message: "has \(grouped(bytes)) bytes; allowed for the push type \(pushType): \(grouped(limit))"
            )
        }
        if mutableContent, pushType != "alert" || payload != nil {
            throw BrokenRule(
                path: path + ".mutableContent",
                message: "is true; allowed for an alert that is made up, elsewhere it stands in the payload"
            )
        }
        if let topic { try check(topic: topic, path: path + ".topic") }
        try fcm.check(path: path + ".fcm")
    }

    private func checkPriority(_ path: String) throws(BrokenRule) {
        let priorities = Self.priorities(pushType: pushType)
        guard priorities.contains(priority) else {
            let allowed = priorities.map(String.init).joined(separator: ", ")
            throw BrokenRule(
                path: path + ".priority",
                message: "is \(priority); allowed for the push type \(pushType): \(allowed)"
            )
        }
    }

    private func check(topic: String, path: String) throws(BrokenRule) {
        let allowed: String
        switch Self.topicSuffix(pushType: pushType) {
        case nil:
            if topic.hasPrefix("com.apple.mgmt.") { return }
            allowed = "the UID of the push certificate, com.apple.mgmt. and more"
        case ""?:
            let others = Self.pushTypes.compactMap(Self.topicSuffix).filter { !$0.isEmpty }
            guard let wrong = others.first(where: topic.hasSuffix) else { return }
            allowed = "a bundle identifier, without \(wrong)"
        case let suffix?:
            if topic.hasSuffix(suffix), topic.utf8.count > suffix.utf8.count { return }
            allowed = "a bundle identifier and \(suffix)"
        }
        throw BrokenRule(path: path, message: "is \"\(topic)\"; allowed for the push type \(pushType): \(allowed)")
    }
}

extension FCMOptions {
    fileprivate func check(path: String) throws(BrokenRule) {
        if topic != nil, condition != nil {
            throw BrokenRule(path: path, message: "has both topic and condition; allowed: one of them")
        }
        if isFanOut, address == .fid {
            throw BrokenRule(path: path + ".address", message: "is fid, but the message goes to no device")
        }
        for entry in data {
            guard !Self.isReserved(entry.key) else {
                throw BrokenRule(
                    path: "\(path).data.\(entry.key)",
                    message: "is a key of FCM's own; allowed: any but from, message_type and those that begin with "
                        + "google. or gcm."
                )
            }
        }
        let limit = isFanOut ? Message.fanOutPayloadLimit : Message.payloadLimit(pushType: "alert")
        guard dataBytes <= limit else {
            throw BrokenRule(
                path: path + ".data",
                message: "has \(grouped(dataBytes)) bytes of keys and values; allowed: \(grouped(limit))"
            )
        }
        if let label = analyticsLabel, !label.utf8.allSatisfy(Self.isLabelByte) {
            throw BrokenRule(
                path: path + ".analyticsLabel",
                message: "is \"\(label)\"; allowed: letters, digits and -_.~%"
            )
        }
    }

    /// Source: Firebase, REST resource `projects.messages`, `data`.
    private static func isReserved(_ key: String) -> Bool {
        ["", "from", "message_type"].contains(key) || key.hasPrefix("google.") || key.hasPrefix("gcm.")
    }

    private var dataBytes: Int {
        data.reduce(0) { $0 + $1.key.utf8.count + Placeholder.longestFilled($1.value) }
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-_.~%".utf8.contains(byte)
        }
    }
}
