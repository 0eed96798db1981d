import Fleet
import MockHosts
import Testing

/// Pushes of one connection whose headers are alike, which the host does not look at in full again.
@Suite struct AlikePushesTests {
    /// One push as a sender writes it that codes nothing by Huffman and puts nothing into the table.
    private struct Push {
        var path = GoodRequest.apnsPath
        var id = "123e4567-e89b-12d3-a456-4266554400a0"
        var type = "alert"
        var topic = "com.example.app"
        var token: String
        var body = GoodRequest.payload

        func frames(stream: UInt32) -> [UInt8] {
            let fields = [
                (":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", path),
                ("authorization", "bearer " + token), ("apns-topic", topic), ("apns-push-type", type), ("apns-id", id),
            ]
            var block: [UInt8] = []
            for (name, value) in fields { block += [0x10] + Self.string(name) + Self.string(value) }
            let end: UInt8 = body.isEmpty ? 5 : 4
            let header = Frames.frame(type: 1, flags: end, stream: stream, payload: block)
            return body.isEmpty
                ? header : header + Frames.frame(type: 0, flags: 1, stream: stream, payload: Array(body.utf8))
        }

        /// RFC 7541, section 5.2.
        private static func string(_ text: String) -> [UInt8] {
            let count = text.utf8.count
            if count < 127 { return [UInt8(count)] + Array(text.utf8) }
            let rest = count - 127
            let head = rest < 128 ? [UInt8(rest)] : [UInt8(rest & 127 | 128), UInt8(rest >> 7)]
            return [127] + head + Array(text.utf8)
        }
    }

    /// Each is held to the rules about what it does not share with those before it.
    @Test func eachIsJudgedByItself() throws {
        let mock = try MockFixture()
        let good = Push(token: try mock.providerToken())
        var (badID, noDevice, large, empty, silent, stranger, gone) = (good, good, good, good, good, good, good)
        badID.id = "42"
        noDevice.path = "/3/device/xyz"
        large.body = String(repeating: " ", count: 4097)
        empty.body = ""
        silent.type = "background"
        stranger.topic = "com.example.stranger"
        gone.path = "/3/device/" + (try SyntheticDevice.token(.unregistered, of: .apnsProduction))
        var other = good
        other.token = try mock.providerToken(age: 60)
        let rest: [(Push, String)] = [
            (badID, "BadMessageId"), (good, ""), (noDevice, "BadDeviceToken"), (large, "PayloadTooLarge"),
            (empty, "PayloadEmpty"), (good, ""), (silent, ""), (stranger, "TopicDisallowed"), (gone, "Unregistered"),
            (other, "TooManyProviderTokenUpdates"), (good, ""),
        ]
        let wire = try Wire(to: .apnsProduction, of: mock)
        let frames = Frames()
        try wire.write(Frames.opening + Frames.settingsAcknowledgement)
        // Three times each: before a likeness is known, as it becomes known, and after.
        for (number, (push, reason)) in (Array(repeating: (good, ""), count: 5) + rest + rest + rest).enumerated() {
            let stream = UInt32(2 * number + 1)
            try wire.write(push.frames(stream: stream))
            try frames.read(wire) {
                $0.contains { [0, 1].contains($0.type) && $0.flags & 1 == 1 && $0.stream == stream }
            }
            let body = frames.all.filter { $0.type == 0 && $0.stream == stream }.flatMap(\.payload)
            let text = String(decoding: body, as: UTF8.self)
            #expect(text.hasPrefix(reason.isEmpty ? "" : #"{"reason":"\#(reason)""#), "\(number): \(text)")
            #expect(text.isEmpty == reason.isEmpty, "\(number): \(text)")
        }
        #expect(try mock.stop().signatureChecks == 2)
    }
}
