package import LoadPlan
package import Push

extension APNsMessage {
    /// A profile's message in APNs form.
    ///
    /// - Parameter wallNow: nanoseconds since 1970, from which a time to live counts.
    package init(_ message: Message, wallNow: Int64) {
        guard let type = PushType(rawValue: message.pushType) else {
            preconditionFailure("the profile let push type \(message.pushType) through")
        }
        let size = message.payloadBytes ?? Message.standardPayloadBytes
        let generated =
            type == .background
            ? Payload.background : Payload.alert(bytes: size, isMutable: message.mutableContent)
        self.init(
            pushType: type,
            priority: message.priority,
            expiration: message.ttl.map { $0 == 0 ? 0 : wallNow / Nanoseconds.second + $0 },
            collapseID: message.collapseKey,
            payload: message.payload.map { Array($0.utf8) } ?? generated,
            topic: message.topic
        )
    }
}

extension Message {
    /// The message in FCM form: the text of a request body, whose device stands as a placeholder.
    ///
    /// Source: Firebase, REST resource `projects.messages`.
    package func fcmBody(validateOnly: Bool) -> String {
        var members = [target]
        members += content
        members.append(android)
        if let webpush = fcm.webpush { members.append("\"webpush\":\(webpush)") }
        if let label = fcm.analyticsLabel {
            members.append("\"fcm_options\":{\"analytics_label\":\(label.jsonQuoted)}")
        }
        let flag = validateOnly ? "\"validate_only\":true," : ""
        return "{\(flag)\"message\":{\(members.joined(separator: ","))}}"
    }

    private var target: String {
        if let topic = fcm.topic { return "\"topic\":\(topic.jsonQuoted)" }
        if let condition = fcm.condition { return "\"condition\":\(condition.jsonQuoted)" }
        return "\"\(fcm.address.rawValue)\":\"\(Placeholder.token.text)\""
    }

    /// Notification, data and the part for Apple devices.
    private var content: [String] {
        var members: [String] = []
        if let notification = fcm.notification {
            members.append("\"notification\":\(notification.json)")
        } else if payload == nil, pushType != PushType.background.rawValue, fcm.data.isEmpty {
            members.append(Payload.notification(bytes: payloadBytes ?? Self.standardPayloadBytes))
        }
        if !fcm.data.isEmpty {
            let entries = fcm.data.map { "\($0.key.jsonQuoted):\($0.value.jsonQuoted)" }
            members.append("\"data\":{\(entries.joined(separator: ","))}")
        } else if payload == nil, pushType == PushType.background.rawValue {
            members.append("\"data\":{\"content-available\":\"1\"}")
        }
        if let apns = fcm.apns {
            members.append("\"apns\":\(apns)")
        } else if let payload {
            // A literal payload is an APNs payload; FCM carries it to Apple devices as it stands.
            members.append("\"apns\":{\"payload\":\(payload)}")
        }
        return members
    }

    private var android: String {
        var members = ["\"priority\":\"\(priority == 10 ? "HIGH" : "NORMAL")\""]
        if let ttl { members.append("\"ttl\":\"\(ttl)s\"") }
        if let collapseKey { members.append("\"collapse_key\":\(collapseKey.jsonQuoted)") }
        return "\"android\":{\(members.joined(separator: ","))}"
    }
}

extension FCMNotification {
    fileprivate var json: String {
        let members = [("title", title), ("body", body), ("image", image)]
            .compactMap { name, value in value.map { "\"\(name)\":\($0.jsonQuoted)" } }
        return "{\(members.joined(separator: ","))}"
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
