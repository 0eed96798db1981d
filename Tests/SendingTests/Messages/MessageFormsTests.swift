import Foundation
import LoadPlan
import Push
import Testing

@testable import Sending

@Suite("One message in the form of each service")
struct MessageFormsTests {
    private func message(_ change: (inout Message) -> Void = { _ in }) -> Message {
        var message = Message()
        change(&message)
        return message
    }

    /// The body as FCM reads it.
    private func fcm(_ message: Message, validateOnly: Bool = false) throws -> (
        body: NSDictionary, message: NSDictionary
    ) {
        let data = Data(message.fcmBody(validateOnly: validateOnly).utf8)
        let body = try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
        return (body, try #require(body["message"] as? NSDictionary))
    }

    @Test("What profiles may say of a push type is what Apple's table says", arguments: PushType.allCases)
    func tables(type: PushType) {
        #expect(Message.pushTypes == PushType.allCases.map(\.rawValue))
        #expect(Message.priorities(pushType: type.rawValue) == type.allowedPriorities)
        #expect(Message.payloadLimit(pushType: type.rawValue) == type.payloadLimit)
        #expect(Message.topicSuffix(pushType: type.rawValue) ?? "" == type.topicSuffix)
    }

    @Test(
        "The topic's suffix, priority and limit of each push type",
        arguments: [
            (PushType.alert, "", [1, 5, 10], 4096), (.background, "", [5], 4096),
            (.location, ".location-query", [1, 5, 10], 4096), (.voip, ".voip", [1, 5, 10], 5120),
            (.complication, ".complication", [1, 5, 10], 4096),
            (.fileprovider, ".pushkit.fileprovider", [1, 5, 10], 4096), (.mdm, "", [1, 5, 10], 4096),
            (.liveactivity, ".push-type.liveactivity", [5, 10], 4096), (.pushtotalk, ".voip-ptt", [1, 5, 10], 4096),
            (.widgets, ".push-type.widgets", [1, 5, 10], 4096), (.controls, ".push-type.controls", [1, 5, 10], 4096),
        ]
    )
    func facts(type: PushType, suffix: String, priorities: [Int], limit: Int) {
        #expect(type.topicSuffix == suffix && type.allowedPriorities == priorities && type.payloadLimit == limit)
        let fields = APNsMessage(message { $0.pushType = type.rawValue }, wallNow: 0)
            .fields(authority: "h", bundleID: "a.b")
        #expect(fields.first { $0.name == "apns-topic" }?.value == "a.b" + suffix)
        #expect(fields.first { $0.name == "apns-push-type" }?.value == type.rawValue)
    }

    @Test("APNs: a topic of its own, mutable content, expiration from now, a literal payload as it stands")
    func apns() {
        let own = APNsMessage(
            message {
                $0.topic = "c.d"
                $0.mutableContent = true
                $0.ttl = 60
            },
            wallNow: 5 * Nanoseconds.second
        )
        #expect(own.fields(authority: "h", bundleID: "a.b").first { $0.name == "apns-topic" }?.value == "c.d")
        #expect(String(decoding: own.payload, as: UTF8.self).hasSuffix(#""},"mutable-content":1}}"#))
        #expect(own.payload.count == Message.standardPayloadBytes && own.expiration == 65)
        #expect(APNsMessage(message { $0.payload = "{}" }, wallNow: 0).payload == Array("{}".utf8))
        #expect(APNsMessage(message { $0.pushType = "background" }, wallNow: 0).payload == Payload.background)
    }

    @Test("FCM: a device by token or fid, a topic, a condition")
    func targets() throws {
        #expect(try fcm(message()).message["token"] as? String == "{token}")
        #expect(try fcm(message { $0.fcm.address = .fid }).message["fid"] as? String == "{token}")
        let topic = try fcm(message { $0.fcm.topic = "news" }).message
        #expect(topic["topic"] as? String == "news" && topic["token"] == nil)
        let condition = try fcm(message { $0.fcm.condition = "'a' in topics" }).message
        #expect(condition["condition"] as? String == "'a' in topics" && condition["token"] == nil)
    }

    @Test("FCM: an alert is a notification, a background push is data only, a literal payload goes to Apple devices")
    func content() throws {
        let alert = try fcm(message()).message
        #expect(alert["notification"] != nil && alert["data"] == nil && alert["apns"] == nil)
        let background = try fcm(message { $0.pushType = "background" }).message
        #expect(background["notification"] == nil)
        #expect(background["data"] as? [String: String] == ["content-available": "1"])
        let literal = try fcm(message { $0.payload = #"{"aps":{"alert":"x"}}"# }).message
        #expect(literal["apns"] as? NSDictionary == ["payload": ["aps": ["alert": "x"]]])
        #expect(literal["notification"] == nil)
    }

    @Test("FCM: every option in its place, quoted where it has to be")
    func options() throws {
        let (body, message) = try fcm(
            message {
                $0.priority = 5
                $0.ttl = 3600
                $0.collapseKey = "a\"b\\\u{1}"
                $0.fcm.notification = FCMNotification()
                $0.fcm.notification?.title = "\"t\""
                $0.fcm.notification?.image = "https://example.com/i.png"
                $0.fcm.data = [.init(key: "k", value: "v\n"), .init(key: "d", value: "{index}")]
                $0.fcm.apns = #"{"headers":{"apns-priority":"5"}}"#
                $0.fcm.webpush = #"{"headers":{"TTL":"9"}}"#
                $0.fcm.analyticsLabel = "label"
            },
            validateOnly: true
        )
        #expect(body["validate_only"] as? Bool == true)
        let notification = ["title": "\"t\"", "image": "https://example.com/i.png"]
        #expect(message["notification"] as? [String: String] == notification)
        #expect(message["data"] as? [String: String] == ["k": "v\n", "d": "{index}"])
        let android = ["priority": "NORMAL", "ttl": "3600s", "collapse_key": "a\"b\\\u{1}"]
        #expect(message["android"] as? [String: String] == android)
        #expect(message["apns"] as? NSDictionary == ["headers": ["apns-priority": "5"]])
        #expect(message["webpush"] as? NSDictionary == ["headers": ["TTL": "9"]])
        #expect(message["fcm_options"] as? [String: String] == ["analytics_label": "label"])
        #expect(try fcm(self.message()).body["validate_only"] == nil)
    }
}
