import Fleet
import Foundation
import Testing

@testable import Push

@Suite("Requests")
struct RequestTests {
    @Test("An APNs request carries the full header set, path and authorization kept out of the dynamic table")
    func apnsFields() {
        let message = APNsMessage(pushType: .voip, priority: 10, expiration: 0, collapseID: "c", payload: [])
        let fields = message.fields(authority: "host", bundleID: "com.example.app")
        #expect(
            fields.map(\.name) == [
                ":method", ":scheme", ":authority", ":path", "authorization", "apns-id", "apns-topic", "apns-push-type",
                "apns-priority", "apns-expiration", "apns-collapse-id",
            ]
        )
        #expect(fields.filter(\.neverIndexed).map(\.name) == [":path", "authorization", "apns-id"])
        #expect(fields.first { $0.name == "apns-topic" }?.value == "com.example.app.voip")
    }

    @Test("apns-id is a canonical version 4 UUID, the same for the same push and distinct otherwise")
    func apnsID() throws {
        func make(_ seed: UInt64, _ lane: Int, _ push: UInt64) -> String {
            var bytes = [UInt8](repeating: 0, count: APNsID.length)
            bytes.withUnsafeMutableBytes { APNsID.write(seed: seed, lane: lane, push: push, into: $0) }
            return String(decoding: bytes, as: UTF8.self)
        }
        var seen: Set<String> = []
        for push in 0..<1000 as Range<UInt64> {
            let text = make(42, 0, push)
            #expect(UUID(uuidString: text)?.uuidString.lowercased() == text)
            #expect(Array(text)[14] == "4" && "89ab".contains(Array(text)[19]))
            #expect(text == make(42, 0, push))
            seen.formUnion([text, make(42, 1, push), make(43, 0, push)])
        }
        #expect(seen.count == 3000)
    }

    @Test("FCM bodies are JSON with the token in its place", arguments: ["", #""data":{"k":"v"}"#])
    func fcmBody(rest: String) throws {
        let message = FCMMessage(rest: rest, validateOnly: true)
        let token = Array("abc:APA91bdef".utf8)
        var body = [UInt8](repeating: 0, count: 512)
        let length = token.withUnsafeBytes { token in
            body.withUnsafeMutableBytes { message.writeBody(token: token, into: $0) }
        }
        #expect(length == message.bodyLength(tokenLength: token.count))
        let decoded = try JSONSerialization.jsonObject(with: Data(body[..<length])) as? [String: Any]
        #expect((decoded?["message"] as? [String: Any])?["token"] as? String == "abc:APA91bdef")
        #expect(decoded?["validate_only"] as? Bool == true)
    }

    @Test("Payloads have the size asked for", arguments: [1, 50, 126, 4096])
    func payload(bytes: Int) throws {
        let alert = Payload.alert(bytes: bytes)
        #expect(alert.count == max(bytes, Payload.smallestAlert))
        _ = try JSONSerialization.jsonObject(with: Data(alert))
        let notification = Payload.notification(bytes: bytes)
        #expect(notification.utf8.count == max(bytes, Payload.smallestNotification))
        _ = try JSONSerialization.jsonObject(with: Data("{\(notification)}".utf8))
    }

    @Test("Priorities, suffixes and limits of the push types")
    func pushTypes() {
        #expect(PushType.allCases.count == 11)
        #expect(PushType.background.allowedPriorities == [5])
        #expect(PushType.liveactivity.allowedPriorities == [5, 10])
        #expect(PushType.voip.payloadLimit == 5120 && PushType.alert.payloadLimit == 4096)
        #expect(PushType.liveactivity.topicSuffix == ".push-type.liveactivity")
    }

    @Test("The mock's announcement reads back as it was written")
    func announcement() throws {
        let announcement = HostAnnouncement(
            pid: 7,
            ca: "/x/ca.pem",
            hosts: ["fcm": "https://127.0.0.1:1"],
            apns: .init(key: "k", keyId: "ABC123DEFG", teamId: "TEAM123456", topics: ["a"], certificate: "c"),
            fcm: .init(serviceAccount: "s", projectId: "p")
        )
        let data = try JSONEncoder().encode(announcement)
        #expect(try JSONDecoder().decode(HostAnnouncement.self, from: data) == announcement)
    }
}
