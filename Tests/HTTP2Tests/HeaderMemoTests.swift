import Testing

@testable import HTTP2

/// Requests whose header blocks are recognised instead of decoded say the same as if they had been decoded.
@Suite struct HeaderMemoTests {
    private static let captured = ["authorization", "apns-id", "apns-topic", "apns-priority"]

    /// One request, as a client means it.
    private struct Request {
        var fields: [(String, String)]
        var body: [UInt8] = []

        func values(of name: String) -> [String] { fields.filter { $0.0 == name }.map(\.1) }

        /// RFC 9113, section 6.5.2.
        var size: Int { fields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 } }
    }

    /// A client that writes its blocks by hand, and a session.
    private final class Bench {
        let session: ServerSession
        private var stream: UInt32 = 1
        /// The values, but for those that vary, of each likeness.
        private var constants: [UInt32: [String?]] = [:]
        private(set) var recognised = 0

        init() throws {
            session = try ServerSession(settings: ServerSettings(capture: .named(HeaderMemoTests.captured)))
            feed(Frame.preface + Frame.settings() + Frame.settingsAcknowledgement)
            #expect(try events().isEmpty == false)
        }

        private func feed(_ bytes: [UInt8]) {
            // The session may look at them until its events have been taken.
            memory.append(UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1))
            memory[memory.count - 1].copyBytes(from: bytes)
            session.receive(UnsafeRawBufferPointer(memory[memory.count - 1]))
        }

        private var memory: [UnsafeMutableRawBufferPointer] = []

        deinit {
            for block in memory { block.deallocate() }
        }

        private func events() throws -> [ServerEvent] {
            var all: [ServerEvent] = []
            while let event = try session.nextEvent() { all.append(event) }
            return all
        }

        /// Sends a request and holds what the session makes of it against what was meant; nil for a stream that was reset.
        func send(_ request: Request, as block: [UInt8]) throws -> UInt32? {
            defer { stream += 2 }
            feed(
                Frame.headers(stream, block, end: request.body.isEmpty)
                    + (request.body.isEmpty ? [] : Frame.data(stream, request.body, end: true))
            )
            guard let event = try session.nextEvent(), event.kind == .request else {
                _ = try events()
                return nil
            }
            let view = try #require(session.request(event.stream))
            check(view, request)
            let likeness = view.likeness
            session.reset(event.stream, code: .cancel)
            _ = try events()
            try drain()
            return likeness
        }

        private func drain() throws {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while try buffer.withUnsafeMutableBytes({ try session.collect(into: $0) }) > 0 {}
        }

        private func check(_ view: RequestView, _ request: Request) {
            #expect(text(view.method) == request.values(of: ":method").first)
            #expect(text(view.path) == request.values(of: ":path").first)
            #expect(text(view.scheme) == request.values(of: ":scheme").first)
            #expect(text(view.authority) == request.values(of: ":authority").first)
            for (index, name) in HeaderMemoTests.captured.enumerated() {
                let values = request.values(of: name)
                #expect(text(view.value(at: index)) == values.first, "\(name)")
                #expect(view.isDuplicated(at: index) == (values.count > 1), "\(name)")
            }
            #expect(view.headerSize == request.size)
            #expect(Array(view.body) == request.body)
            guard view.likeness != 0 else { return }
            #expect(!view.repeatsAnyField)
            let rest = (0..<8).map { view.varying & (1 << UInt32($0)) == 0 ? text(view.value(atPlace: $0)) : nil }
            if let same = constants[view.likeness] {
                #expect(same == rest)
                recognised += 1
            }
            constants[view.likeness] = rest
        }

        private func text(_ bytes: UnsafeRawBufferPointer?) -> String? {
            bytes.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    // MARK: Blocks

    /// Literals that enter no table, without Huffman coding: what never needs decoding.
    private static func plain(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0x10] + string($0.0) + string($0.1) }
    }

    private static func string(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        if count < 127 { return [UInt8(count)] + Array(text.utf8) }
        var rest = count - 127
        var head: [UInt8] = [127]
        while rest >= 128 {
            head.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return head + [UInt8(rest)] + Array(text.utf8)
    }

    private func request(_ random: inout TestRandom, _ number: Int, credential: Int) -> Request {
        let device = String(repeating: "0123456789abcdef", count: 1 + random.below(12))
        var fields = [(":method", "POST"), (":scheme", "https"), (":authority", "localhost")]
        fields.append((":path", "/3/device/\(device)\(number)"))
        fields.append(("authorization", "bearer \(credential)" + String(repeating: "t", count: 190)))
        fields.append(("apns-topic", ["com.example.app", "com.example.news"][random.below(2)]))
        if random.oneIn(3) { fields.append(("apns-priority", random.oneIn(2) ? "5" : "10")) }
        fields.append(("apns-id", "id-\(number)"))
        let body = [UInt8](repeating: 7, count: 1 + random.below(200))
        fields.append(("content-length", "\(body.count)"))
        if random.oneIn(40) { fields.append(("apns-topic", "twice")) }
        return Request(fields: fields, body: body)
    }

    // MARK: Tests

    @Test(arguments: [1, 2, 3] as [UInt64]) func plainBlocksAreRecognised(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let bench = try Bench()
        for number in 0..<2000 {
            let request = request(&random, number, credential: number / 700)
            #expect(try bench.send(request, as: Self.plain(request.fields)) != nil)
        }
        #expect(bench.recognised > 1500, "\(bench.recognised) of 2000")
    }

    /// nghttp2 codes by Huffman and puts fields into the table, so that most blocks have to be decoded.
    @Test(arguments: [1, 2, 3] as [UInt64]) func anotherEncoder(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let bench = try Bench()
        let encoder = ReferenceEncoder()
        for number in 0..<1000 {
            let request = request(&random, number % 5, credential: number / 300)
            let fields = request.fields.map { RawField($0.0, $0.1, neverIndexed: $0.0 == "authorization") }
            #expect(try bench.send(request, as: encoder.encode(fields)) != nil)
        }
    }

    /// A block that differs from one that is known where it may not is held to every rule.
    @Test(arguments: [
        (":path", "no slash"), (":path", ""), ("apns-id", "a\u{1}b"), ("apns-id", " blank"), ("content-length", "12x"),
        ("content-length", "3"), (":scheme", ""), ("te", "gzip"), ("connection", "close"), ("APNS", "upper"),
    ])
    func rulesHoldForBlocksThatLookAlike(name: String, value: String) throws {
        var random = TestRandom(seed: 9)
        let bench = try Bench()
        for number in 0..<50 {
            let request = request(&random, number, credential: 1)
            #expect(try bench.send(request, as: Self.plain(request.fields)) != nil)
        }
        var bad = request(&random, 51, credential: 1)
        if let place = bad.fields.firstIndex(where: { $0.0 == name }) {
            bad.fields[place].1 = value
        } else {
            bad.fields.append((name, value))
        }
        if value == "3" { bad.body = [1, 2, 3, 4] }
        #expect(try bench.send(bad, as: Self.plain(bad.fields)) == nil)
        let good = request(&random, 52, credential: 1)
        #expect(try bench.send(good, as: Self.plain(good.fields)) != nil)
    }

    /// An entry that comes into the table gives indices another meaning.
    @Test func aTableThatChangesIsNoticed() throws {
        let bench = try Bench()
        // apns-topic as a literal that enters the table, then by the index it has there.
        func block(_ path: String, topic: [UInt8]) -> [UInt8] {
            [0x83, 0x87, 0x04] + Self.string(path) + topic
        }
        func request(_ path: String, _ topic: String) -> Request {
            Request(fields: [(":method", "POST"), (":scheme", "https"), (":path", path), ("apns-topic", topic)])
        }
        func added(_ topic: String) -> [UInt8] { [0x40] + Self.string("apns-topic") + Self.string(topic) }
        for round in 0..<5 {
            let (old, new) = ("com.example.\(round)", "com.example.\(round + 1)")
            _ = try bench.send(request("/\(round)", old), as: block("/\(round)", topic: added(old)))
            for number in 0..<5 {
                _ = try bench.send(request("/\(number)", old), as: block("/\(number)", topic: [0xbe]))
            }
            _ = try bench.send(request("/x", new), as: block("/x", topic: added(new)))
            _ = try bench.send(request("/y", old), as: block("/y", topic: [0xbf]))
            _ = try bench.send(request("/z", new), as: block("/z", topic: [0xbe]))
        }
        #expect(bench.recognised > 10)
    }

    /// A client whose blocks are never alike costs a bounded number of lessons, and is served all the same.
    @Test func blocksThatAreNeverAlike() throws {
        let bench = try Bench()
        for number in 0..<200 {
            let names = (0...(number % 20)).map { ("x-\(number)-\($0)", "v") }
            let fields = [(":method", "POST"), (":scheme", "https"), (":path", "/\(number)")] + names
            #expect(try bench.send(Request(fields: fields), as: Self.plain(fields)) == 0)
        }
        // Nothing is learned any more, not even what would pay.
        let fields = [(":method", "POST"), (":scheme", "https"), (":path", "/")]
        for _ in 0..<3 { #expect(try bench.send(Request(fields: fields), as: Self.plain(fields)) == 0) }
    }
}
