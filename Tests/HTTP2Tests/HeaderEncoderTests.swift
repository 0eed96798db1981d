import Testing

@testable import HTTP2

/// Header blocks of ours, decoded by nghttp2's inflater.
@Suite struct HeaderEncoderTests {
    private struct Rig: ~Copyable {
        var encoder = HeaderEncoder()
        let decoder: HeaderBlock.Decoder

        init() throws {
            decoder = try HeaderBlock.Decoder()
        }

        mutating func block(_ template: TemplateID, path: String = "/", apnsID: String = "", body: Int = 0) -> [UInt8] {
            let memory = SlotMemory(
                path: Array(path.utf8),
                apnsID: Array(apnsID.utf8),
                body: Array(repeating: 0, count: body)
            )
            let bound = encoder.maximumSize(template.index, memory.variables)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bound, alignment: 1)
            defer { buffer.deallocate() }
            guard let base = buffer.baseAddress else { return [] }
            let size = encoder.write(template.index, memory.variables, to: base)
            precondition(size <= bound, "the encoder's bound does not hold: \(size) above \(bound)")
            return Array(buffer[..<size])
        }
    }

    private static let fields = [
        HeaderField(":method", "POST"), HeaderField(":scheme", "https"), HeaderField(":path", .path),
        HeaderField(":authority", "api.push.apple.com"),
        HeaderField("authorization", "bearer abc", indexing: .neverIndexed),
        HeaderField("apns-topic", "com.example.app"),
        HeaderField("apns-push-type", "alert"), HeaderField("apns-id", .apnsID),
        HeaderField("content-length", .contentLength),
    ]

    @Test func repeatedFieldsBecomeOneByteEach() throws {
        var rig = try Rig()
        let template = rig.encoder.prepare(RequestTemplate(fields: Self.fields))
        let first = rig.block(template, path: "/3/device/ab", body: 12)
        let second = rig.block(template, path: "/3/device/ab", body: 12)
        // :method, :scheme, the three of the dynamic table; :path; authorization; content-length.
        #expect(second.count == 2 + 3 + (1 + 1 + 12) + (2 + 1 + 10) + (3 + 2))
        #expect(second.starts(with: [0x83, 0x87, 0xc0, 0x14, 12]))
        #expect(first.count > second.count)
        for block in [first, second, rig.block(template, path: "/3/device/ab", body: 12)] {
            let decoded = try rig.decoder.decode(block)
            #expect(
                decoded.map(\.name) == [
                    ":method", ":scheme", ":authority", ":path", "authorization", "apns-topic", "apns-push-type",
                    "content-length",
                ]
            )
            #expect(decoded.filter(\.neverIndexed).map(\.name) == [":path", "authorization", "content-length"])
            #expect(decoded[3].value == "/3/device/ab")
        }
    }

    @Test(arguments: [0, 9, 10, 99, 100, 4096, 999_999, 1_000_000])
    func contentLengthIsWritten(count: Int) throws {
        var rig = try Rig()
        let template = rig.encoder.prepare(RequestTemplate(fields: [HeaderField("content-length", .contentLength)]))
        #expect(try rig.decoder.decode(rig.block(template, body: count)).map(\.value) == ["\(count)"])
    }

    @Test(arguments: [1, 126, 127, 128, 254, 255, 256, 16_000])
    func pathsOfAnyLengthAreWritten(count: Int) throws {
        var rig = try Rig()
        let template = rig.encoder.prepare(RequestTemplate(fields: [HeaderField(":path", .path)]))
        let path = "/" + String(repeating: "a", count: count - 1)
        #expect(try rig.decoder.decode(rig.block(template, path: path)).map(\.value) == [path])
    }

    @Test func whatHuffmanCodingWouldSaveIsCounted() throws {
        var rig = try Rig()
        let template = rig.encoder.prepare(
            RequestTemplate(fields: [
                HeaderField("authorization", String(repeating: "a", count: 80), indexing: .neverIndexed)
            ])
        )
        _ = rig.block(template)
        // 80 letters of 5 bits are 50 bytes; "/" is one byte either way.
        #expect(rig.encoder.bytesLost == 30)
    }

    /// RFC 7541, section 4.2: between two blocks the table was allowed less and then more.
    @Test func sizeUpdatesTellTheSmallestAndTheLast() throws {
        var rig = try Rig()
        let template = rig.encoder.prepare(RequestTemplate(fields: Self.fields))
        _ = try rig.decoder.decode(rig.block(template))
        rig.encoder.limitTable(to: 0)
        rig.encoder.limitTable(to: 1000)
        try rig.decoder.limitTable(to: 0)
        try rig.decoder.limitTable(to: 1000)
        let block = rig.block(template)
        #expect(block.starts(with: [0x20, 0x3f, 0xc9, 0x07]))
        #expect(try rig.decoder.decode(block).count == 8)
        #expect(try rig.decoder.decode(rig.block(template)).count == 8)
    }

    @Test func aTableOfNoBytesIsNotUsed() throws {
        var rig = try Rig()
        let template = rig.encoder.prepare(RequestTemplate(fields: Self.fields))
        rig.encoder.limitTable(to: 0)
        try rig.decoder.limitTable(to: 0)
        let first = rig.block(template)
        let second = rig.block(template)
        #expect(first == [0x20] + second)
        #expect(try rig.decoder.decode(first).count == 8)
        #expect(try rig.decoder.decode(second).count == 8)
    }

    @Test func moreThanTheTableAllowsChangesNothing() throws {
        var rig = try Rig()
        let template = rig.encoder.prepare(RequestTemplate(fields: Self.fields))
        _ = rig.block(template)
        let before = rig.block(template)
        rig.encoder.limitTable(to: 65536)
        #expect(rig.block(template) == before)
    }

    /// Random templates, values, replacements and table sizes: what nghttp2 reads is what was meant.
    @Test(arguments: 0..<40) func randomSequencesAreDecoded(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        var rig = try Rig()
        var templates: [(id: TemplateID, fields: [HeaderField])] = []
        for step in 0..<250 {
            switch random.below(12) {
            case 0 where templates.count < 12:
                let fields = Self.randomFields(&random)
                templates.append((rig.encoder.prepare(RequestTemplate(fields: fields)), fields))
            case 1:
                let size = [0, 40, 100, 500, 4096, 70_000][random.below(6)]
                rig.encoder.limitTable(to: UInt32(size))
                try rig.decoder.limitTable(to: min(size, 1 << 20))
            case 2 where !templates.isEmpty:
                let index = random.below(templates.count)
                let constants = templates[index].fields.indices
                    .filter {
                        if case .constant = templates[index].fields[$0].value { return true } else { return false }
                    }
                let place = constants[random.below(constants.count)]
                let value = Self.randomText(&random)
                rig.encoder.replaceField(
                    named: templates[index].fields[place].name,
                    in: templates[index].id,
                    with: value
                )
                templates[index].fields[place].value = .constant(value)
            default:
                guard let template = templates.randomElement(using: &random) else { continue }
                let path = "/" + Self.randomText(&random)
                let apnsID = random.oneIn(3) ? "" : Self.randomText(&random) + "."
                let body = random.below(3000)
                let block = rig.block(template.id, path: path, apnsID: apnsID, body: body)
                let expected = Self.expected(template.fields, path: path, apnsID: apnsID, body: body)
                let decoded = try rig.decoder.decode(block).map { [$0.name, $0.value, "\($0.neverIndexed)"] }
                #expect(decoded.sorted { $0[0] < $1[0] } == expected, "seed \(seed), step \(step)")
                let firstRegular = decoded.firstIndex { !$0[0].hasPrefix(":") } ?? decoded.count
                #expect(decoded[firstRegular...].allSatisfy { !$0[0].hasPrefix(":") })
            }
        }
    }

    private static func randomFields(_ random: inout TestRandom) -> [HeaderField] {
        var fields = [HeaderField(":method", random.oneIn(2) ? "POST" : "GET"), HeaderField(":path", .path)]
        if random.oneIn(2) { fields.append(HeaderField(":authority", randomText(&random))) }
        let names = [
            "apns-topic", "apns-priority", "user-agent", "content-type", "x-a", "x-b", "x-c", "x-d", "x-e", "server",
        ]
        for name in names.prefix(1 + random.below(names.count)) {
            // From a small set, so that templates share fields; sometimes large, so that they don't fit.
            let value = random.oneIn(4) ? String(repeating: "v", count: random.below(1500)) : "value\(random.below(4))"
            fields.append(HeaderField(name, value, indexing: random.oneIn(5) ? .neverIndexed : .indexed))
        }
        if random.oneIn(2) { fields.append(HeaderField("apns-id", .apnsID)) }
        if random.oneIn(2) { fields.append(HeaderField("content-length", .contentLength)) }
        return fields
    }

    private static func randomText(_ random: inout TestRandom) -> String {
        String(decoding: (0..<random.below(300)).map { _ in UInt8.random(in: 33...126, using: &random) }, as: UTF8.self)
    }

    private static func expected(_ fields: [HeaderField], path: String, apnsID: String, body: Int) -> [[String]] {
        fields.compactMap { field -> [String]? in
            switch field.value {
            case .constant(let value):
                // What the static table has is never a literal.
                let isStatic = StaticTable.find(field.name, value).field != nil
                return [field.name, value, "\(field.indexing == .neverIndexed && !isStatic)"]
            case .path: return [field.name, path, "true"]
            case .apnsID: return apnsID.isEmpty ? nil : [field.name, apnsID, "true"]
            case .contentLength: return [field.name, "\(body)", "true"]
            }
        }
        .sorted { $0[0] < $1[0] }
    }
}

/// Huffman coding by the examples of the RFC.
@Suite struct HuffmanTests {
    /// RFC 7541, appendix C.4 and C.6.
    @Test(arguments: [
        ("www.example.com", "f1e3c2e5f23a6ba0ab90f4ff"), ("no-cache", "a8eb10649cbf"),
        ("custom-key", "25a849e95ba97d7f"),
        ("custom-value", "25a849e95bb8e8b4bf"), ("302", "6402"), ("private", "aec3771a4b"),
        ("Mon, 21 Oct 2013 20:13:21 GMT", "d07abe941054d444a8200595040b8166e082a62d1bff"),
        ("https://www.example.com", "9d29ad171863c78f0b97c8e9ae82ae43d3"), ("", ""),
    ])
    func theExamplesOfTheRFC(text: String, hex: String) {
        let coded = Huffman.encode(text.utf8)
        #expect(
            coded.map { String($0, radix: 16).count == 1 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
                .joined() == hex
        )
        #expect(Array(text.utf8).withUnsafeBytes { Huffman.encodedCount($0) } == coded.count)
    }

    @Test func nghttp2ReadsEveryByte() throws {
        let decoder = try HeaderBlock.Decoder()
        let bytes = (0...255).map { UInt8($0) }
        let coded = Huffman.encode(bytes)
        let block = [0x00, 0x01, 0x78] + HPACKCoding.integer(coded.count, prefix: 7, pattern: 0x80) + coded
        #expect(try decoder.decode(block).map(\.value) == [String(decoding: bytes, as: UTF8.self)])
    }
}
