import Testing

@testable import HTTP2

/// Our HPACK decoder against nghttp2's inflater: the same blocks are taken and refused, with the same fields.
@Suite struct HeaderDecoderDifferentialTests {
    private static let names = [
        ":path", ":method", ":status", "authorization", "apns-id", "apns-topic", "content-type", "cookie", "x", "te",
        "a-name-of-some-length",
    ]

    /// What nghttp2's deflater makes of random headers, with tables of changing size.
    @Test(arguments: 0..<30) func blocksOfNGHTTP2AreReadAlike(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let encoder = ReferenceEncoder()
        let pair = try Pair()
        for step in 0..<200 {
            if random.oneIn(10) {
                let size = [0, 40, 100, 500, 4096, 20_000][random.below(6)]
                encoder.limitTable(to: size)
                try pair.limitTable(to: size)
            }
            let fields = (0..<random.below(12)).map { _ in Self.field(&random) }
            let read = try pair.decode(encoder.encode(fields)) ?? []
            // nghttp2 never indexes some fields of its own accord.
            #expect(read.map(\.name) == fields.map(\.name), "seed \(seed), step \(step)")
            #expect(read.map(\.value) == fields.map(\.value), "seed \(seed), step \(step)")
            let marked = zip(read, fields).allSatisfy { $0.neverIndexed || !$1.neverIndexed }
            #expect(marked, "seed \(seed), step \(step)")
        }
    }

    /// The same with bytes changed, put in, taken out or cut off; a refusal ends the connection.
    @Test(arguments: 0..<60) func brokenBlocksAreReadAlike(seed: UInt64) throws {
        var random = TestRandom(seed: 1000 + seed)
        var encoder = ReferenceEncoder()
        var pair = try Pair()
        for _ in 0..<300 {
            if random.oneIn(20) {
                let size = [0, 64, 200, 4096, 9000][random.below(5)]
                // The deflater is not told: it breaks the promise that the decoders wait for.
                try pair.limitTable(to: size)
                if random.oneIn(2) { encoder.limitTable(to: size) }
            }
            var block = encoder.encode((0..<random.below(8)).map { _ in Self.field(&random) })
            if random.oneIn(3) { Self.mutate(&block, &random) }
            if try pair.decode(block) == nil {
                encoder = ReferenceEncoder()
                pair = try Pair()
            }
        }
    }

    /// Bytes that nobody encoded.
    @Test(arguments: 0..<30) func noiseIsReadAlike(seed: UInt64) throws {
        var random = TestRandom(seed: 2000 + seed)
        var pair = try Pair()
        for _ in 0..<1000 {
            // Mostly small numbers, so that lengths fit and literals come to an end.
            let block = (0..<random.below(24))
                .map { _ in
                    random.oneIn(2)
                        ? UInt8(random.below(256)) : [0, 1, 2, 3, 0x40, 0x81, 0x82, 0xbe, 0x10, 0x20][random.below(10)]
                }
            if try pair.decode(block) == nil { pair = try Pair() }
        }
    }

    /// What our own encoder makes of random templates.
    @Test(arguments: 0..<20) func blocksOfOursAreReadAlike(seed: UInt64) throws {
        var random = TestRandom(seed: 3000 + seed)
        var encoder = HeaderEncoder()
        let pair = try Pair()
        var templates: [TemplateID] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 20_000, alignment: 1)
        defer { buffer.deallocate() }
        for _ in 0..<200 {
            if templates.isEmpty || random.oneIn(20) && templates.count < 10 {
                let fields = (0..<6).map { _ in Self.field(&random) }.filter { $0.name.first != UInt8(ascii: ":") }
                let constants = fields.map {
                    HeaderField(
                        String(decoding: $0.name, as: UTF8.self),
                        String(decoding: $0.value, as: UTF8.self),
                        indexing: $0.neverIndexed ? .neverIndexed : .indexed
                    )
                }
                templates.append(encoder.prepare(RequestTemplate(fields: [HeaderField(":path", .path)] + constants)))
            }
            if random.oneIn(15) {
                let size = [0, 100, 300, 4096][random.below(4)]
                encoder.limitTable(to: UInt32(size))
                try pair.limitTable(to: size)
            }
            let path = SlotMemory(path: Array("/\(random.next())".utf8), apnsID: [], body: [])
            let template = templates[random.below(templates.count)]
            guard let base = buffer.baseAddress else { return }
            let count = encoder.write(template.index, path.variables, to: base)
            #expect(try pair.decode(Array(buffer[..<count])) != nil)
        }
    }

    /// Every length and every last byte of Huffman-coded strings.
    @Test(arguments: 0..<20) func huffmanStringsAreReadAlike(seed: UInt64) throws {
        var random = TestRandom(seed: 4000 + seed)
        for length in 0..<60 {
            var coded: [UInt8]
            if random.oneIn(2) {
                coded = (0..<length).map { _ in UInt8(random.below(256)) }
            } else {
                coded = Huffman.encode((0..<length).map { _ in UInt8(random.below(random.oneIn(2) ? 128 : 256)) })
                if random.oneIn(3), !coded.isEmpty { coded[coded.count - 1] ^= UInt8(1 << random.below(8)) }
            }
            let block = [0x00, 0x01, 0x78] + HPACKCoding.integer(coded.count, prefix: 7, pattern: 0x80) + coded
            _ = try Pair().decode(block)
        }
    }

    // MARK: Material

    private static func field(_ random: inout TestRandom) -> RawField {
        let name = random.oneIn(8) ? "n\(random.below(50))" : names[random.below(names.count)]
        let value: [UInt8]
        switch random.below(6) {
        case 0: value = (0..<random.below(1500)).map { _ in UInt8(random.below(256)) }
        case 1: value = (0..<random.below(100)).map { _ in UInt8(random.below(256)) }
        default: value = Array("value \(random.below(12))".utf8)
        }
        return RawField(name.utf8, value, neverIndexed: random.oneIn(6))
    }

    private static func mutate(_ block: inout [UInt8], _ random: inout TestRandom) {
        for _ in 0...random.below(3) where !block.isEmpty {
            let place = random.below(block.count)
            switch random.below(4) {
            case 0: block[place] = UInt8(random.below(256))
            case 1: block[place] ^= UInt8(1 << random.below(8))
            case 2: block.insert(UInt8(random.below(256)), at: place)
            default: block.removeSubrange(place...)
            }
        }
    }

    /// Both decoders, in step.
    private struct Pair {
        let own = OwnDecoder()
        let reference: ReferenceDecoder

        init() throws {
            reference = try ReferenceDecoder()
        }

        func limitTable(to size: Int) throws {
            own.limitTable(to: size)
            try reference.limitTable(to: size)
        }

        /// - Returns: What both read; nil when both refuse.
        func decode(_ block: [UInt8]) throws -> [RawField]? {
            let read = try? own.decode(block)
            let expected = try? reference.decode(block)
            #expect(read == expected, "block \(block)")
            return expected
        }
    }
}
