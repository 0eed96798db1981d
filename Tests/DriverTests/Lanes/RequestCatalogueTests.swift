import Foundation
import HTTP2
import LoadPlan
import Push
import Testing

@testable import Driver

@Suite("Request catalogue")
struct RequestCatalogueTests {
    private func message(_ change: (inout Message) -> Void = { _ in }) -> Message {
        var message = Message()
        change(&message)
        return message
    }

    @Test("One template for each app and message, with the topic of the push type")
    func templates() {
        let messages = [message(), message { $0.pushType = "voip" }]
        let catalogue = RequestCatalogue(apns: messages, apps: ["a.b", "c.d"], authority: "host", wallNow: 0)
        func topic(_ app: Int, _ message: Int) -> HeaderValue? {
            let template = catalogue.templates[catalogue.template(app: app, message: message)]
            return template.fields.first { $0.name == "apns-topic" }?.value
        }
        #expect(topic(0, 0) == .constant("a.b"))
        #expect(topic(0, 1) == .constant("a.b.voip"))
        #expect(topic(1, 1) == .constant("c.d.voip"))
        #expect(catalogue.payloads[0].bytes.count == Message.standardPayloadBytes)
        let neverIndexed = catalogue.templates[0].fields.filter { $0.indexing == .neverIndexed }.map(\.name)
        #expect(neverIndexed == [":path", "authorization", "apns-id"])
    }

    @Test("A time to live becomes an expiration date, and none stays none")
    func expiration() {
        func expiration(_ ttl: Int64?) -> HeaderValue? {
            let messages = [message { $0.ttl = ttl }]
            let catalogue = RequestCatalogue(apns: messages, apps: ["a"], authority: "h", wallNow: 5_000_000_000)
            return catalogue.templates[0].fields.first { $0.name == "apns-expiration" }?.value
        }
        #expect(expiration(nil) == nil)
        #expect(expiration(0) == .constant("0"))
        #expect(expiration(60) == .constant("65"))
    }

    @Test("Messages are drawn by weight")
    func weights() {
        let messages = [message { $0.weight = 1 }, message { $0.weight = 3 }]
        let catalogue = RequestCatalogue(apns: messages, apps: ["a"], authority: "h", wallNow: 0)
        let drawn = (0..<10_000 as Range<UInt64>).map { catalogue.message(hash: scramble($0)) }
        let share = Double(drawn.count { $0 == 1 }) / Double(drawn.count)
        // Five standard deviations of 10,000 draws at 0.75 are 0.022.
        #expect(abs(share - 0.75) < 0.022)
        #expect(RequestCatalogue(apns: [message()], apps: ["a"], authority: "h", wallNow: 0).message(hash: 9) == 0)
    }

    @Test("FCM bodies are JSON whatever the message says")
    func bodies() throws {
        let messages = [
            message(),
            message {
                $0.pushType = "background"
                $0.priority = 5
            },
            message { $0.payload = #"{"aps":{"alert":"x"}}"# },
            message {
                $0.ttl = 3600
                $0.collapseKey = "a\"b\\\u{1}"
            },
        ]
        let catalogue = RequestCatalogue(fcm: messages, project: "p", apps: 1, authority: "h")
        for body in catalogue.bodies {
            let text = Data(body.prefix + Array("token".utf8) + body.suffix)
            let message = (try JSONSerialization.jsonObject(with: text) as? [String: Any])?["message"]
            #expect((message as? [String: Any])?["token"] as? String == "token")
        }
        let last = Data(catalogue.bodies[3].prefix + catalogue.bodies[3].suffix)
        let decoded = try JSONSerialization.jsonObject(with: last) as? [String: [String: Any]]
        let android = decoded?["message"]?["android"] as? [String: String]
        #expect(android == ["priority": "HIGH", "ttl": "3600s", "collapse_key": "a\"b\\\u{1}"])
    }
}
