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

    @Test("Payloads have the size asked for", arguments: [1, 50, 126, 4096])
    func payload(bytes: Int) throws {
        let alert = Payload.alert(bytes: bytes)
        #expect(alert.count == max(bytes, Payload.smallestAlert))
        _ = try JSONSerialization.jsonObject(with: Data(alert))
        let mutable = Payload.alert(bytes: bytes, isMutable: true)
        #expect(mutable.count == max(bytes, Payload.smallestAlert + #","mutable-content":1"#.utf8.count))
        let object = try JSONSerialization.jsonObject(with: Data(mutable)) as? [String: [String: Any]]
        #expect(object?["aps"]?["mutable-content"] as? Int == 1)
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
