import Fleet
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
        #expect(catalogue.sharedBodies[0]?.bytes.count == Message.standardPayloadBytes)
        #expect(catalogue.requestBodyLimit == 0)
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

    @Test("What stands for something of the device is filled in per push, the rest is shared")
    func placeholders() throws {
        let messages = [
            message { $0.payload = #"{"aps":{"alert":"{index} {app}"}}"# },
            message { $0.payload = #"{"aps":{"alert":"all"}}"# },
        ]
        let catalogue = RequestCatalogue(apns: messages, apps: ["a.b", "c.d"], authority: "h", wallNow: 0)
        let fleet = Fleet(
            try FleetSpecification(
                seed: 1,
                size: 10,
                weights: LaneWeights(shares: PerLane(repeating: 1.0 / 3)),
                apps: [.init(topic: "a.b", weight: 1)],
                project: "p",
                longTokenShare: 0,
                longestToken: 64,
                defects: .init()
            )
        )
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: catalogue.requestBodyLimit, alignment: 1)
        defer { memory.deallocate() }
        func body(_ message: Int) -> String {
            let token = UnsafeRawBufferPointer(start: nil, count: 0)
            return String(
                decoding: catalogue.body(message, of: fleet.device(at: 7), token: token, in: memory),
                as: UTF8.self
            )
        }
        #expect(body(0) == #"{"aps":{"alert":"7 a.b"}}"#)
        #expect(body(1) == #"{"aps":{"alert":"all"}}"#)
    }
}
