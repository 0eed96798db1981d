import Testing

@testable import HTTP2

/// Our HPACK decoder by RFC 7541: its examples, and everything it forbids.
@Suite struct HeaderDecoderTests {
    /// Appendix C: the blocks of a connection, in order, with what they hold.
    struct Example: CustomTestStringConvertible {
        var section: String
        var tableSize = 4096
        var blocks: [(hex: String, fields: [RawField])]

        var testDescription: String { section }
    }

    private static let requests: [[RawField]] = [
        [
            RawField(":method", "GET"), RawField(":scheme", "http"), RawField(":path", "/"),
            RawField(":authority", "www.example.com"),
        ],
        [
            RawField(":method", "GET"), RawField(":scheme", "http"), RawField(":path", "/"),
            RawField(":authority", "www.example.com"), RawField("cache-control", "no-cache"),
        ],
        [
            RawField(":method", "GET"), RawField(":scheme", "https"), RawField(":path", "/index.html"),
            RawField(":authority", "www.example.com"), RawField("custom-key", "custom-value"),
        ],
    ]

    private static let responses: [[RawField]] = [
        [
            RawField(":status", "302"), RawField("cache-control", "private"),
            RawField("date", "Mon, 21 Oct 2013 20:13:21 GMT"), RawField("location", "https://www.example.com"),
        ],
        [
            RawField(":status", "307"), RawField("cache-control", "private"),
            RawField("date", "Mon, 21 Oct 2013 20:13:21 GMT"), RawField("location", "https://www.example.com"),
        ],
        [
            RawField(":status", "200"), RawField("cache-control", "private"),
            RawField("date", "Mon, 21 Oct 2013 20:13:22 GMT"), RawField("location", "https://www.example.com"),
            RawField("content-encoding", "gzip"),
            RawField("set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"),
        ],
    ]

    static let examples = [
        Example(
            section: "C.2.1 literal with indexing",
            blocks: [
                (
                    "400a637573746f6d2d6b65790d637573746f6d2d686561646572", [RawField("custom-key", "custom-header")]
                )
            ]
        ),
        Example(
            section: "C.2.2 literal without indexing",
            blocks: [("040c2f73616d706c652f70617468", [RawField(":path", "/sample/path")])]
        ),
        Example(
            section: "C.2.3 literal never indexed",
            blocks: [("100870617373776f726406736563726574", [RawField("password", "secret", neverIndexed: true)])]
        ),
        Example(section: "C.2.4 indexed", blocks: [("82", [RawField(":method", "GET")])]),
        Example(
            section: "C.3 requests without Huffman coding",
            blocks: [
                ("828684410f7777772e6578616d706c652e636f6d", requests[0]),
                ("828684be58086e6f2d6361636865", requests[1]),
                ("828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565", requests[2]),
            ]
        ),
        Example(
            section: "C.4 requests with Huffman coding",
            blocks: [
                ("828684418cf1e3c2e5f23a6ba0ab90f4ff", requests[0]), ("828684be5886a8eb10649cbf", requests[1]),
                ("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf", requests[2]),
            ]
        ),
        Example(
            section: "C.5 responses without Huffman coding",
            tableSize: 256,
            blocks: [
                (
                    "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d54"
                        + "6e1768747470733a2f2f7777772e6578616d706c652e636f6d", responses[0]
                ), ("4803333037c1c0bf", responses[1]),
                (
                    "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153"
                        + "444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273"
                        + "696f6e3d31", responses[2]
                ),
            ]
        ),
        Example(
            section: "C.6 responses with Huffman coding",
            tableSize: 256,
            blocks: [
                (
                    "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8"
                        + "e9ae82ae43d3", responses[0]
                ), ("4883640effc1c0bf", responses[1]),
                (
                    "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b"
                        + "3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007", responses[2]
                ),
            ]
        ),
    ]

    @Test(arguments: examples) func theExamplesOfTheRFC(example: Example) throws {
        let decoder = OwnDecoder()
        for (index, block) in example.blocks.enumerated() {
            var bytes = hexBytes(block.hex)
            if index == 0 && example.tableSize < 4096 {
                decoder.limitTable(to: example.tableSize)
                bytes = HPACKCoding.sizeUpdate(example.tableSize) + bytes
            }
            #expect(try decoder.decode(bytes) == block.fields)
        }
    }

    @Test func everyEntryOfTheStaticTableIsThere() throws {
        let own = OwnDecoder()
        let reference = try ReferenceDecoder()
        for index in 1...StaticTable.count {
            #expect(try own.decode([0x80 | UInt8(index)]) == reference.decode([0x80 | UInt8(index)]))
            #expect(own.facts.map(\.staticIndex) == [UInt8(index)])
            #expect(own.facts.map(\.source) == [.staticTable])
        }
    }

    /// What ends the connection with COMPRESSION_ERROR, after so many bytes of preparation for the table.
    struct Broken: CustomTestStringConvertible {
        var rule: String
        var hex: String
        var limit: Int?

        init(_ rule: String, _ hex: String, limit: Int? = nil) {
            self.rule = rule
            self.hex = hex
            self.limit = limit
        }

        var testDescription: String { rule }
    }

    static let violations = [
        Broken("6.1 index 0", "80"),
        Broken("2.3.3 index beyond an empty dynamic table", "be"),
        Broken("2.3.3 index beyond the dynamic table", "400161016280bf"),
        Broken("2.3.3 name index beyond the tables, with indexing", "7e0161"),
        Broken("2.3.3 name index beyond the tables, without indexing", "0f2f0161"),
        Broken("2.3.3 name index beyond the tables, never indexed", "1f2f0161"),
        Broken("5.1 integer without an end", "ff"),
        Broken("5.1 integer above 2^32", "ffffffffff1f"),
        Broken("5.1 integer in more than six bytes", "ff8080808080808000"),
        Broken("5.1 integer of zeros without an end", "ff80808080"),
        Broken("5.2 literal without a value", "4001"),
        Broken("5.2 name longer than the block", "400a61"),
        Broken("5.2 value longer than the block", "40016105"),
        Broken("5.2 value's length cut", "4001617f"),
        Broken("5.2 literal without anything", "40"),
        Broken("5.2 EOS in a string", "00016184ffffffff"),
        Broken("5.2 padding of more than 7 bits", "00016181ff"),
        Broken("5.2 padding of 8 bits behind a symbol", "0001618207ff"),
        Broken("5.2 padding of zeros", "0001618118"),
        Broken("5.2 code cut in its middle", "00016182fffe"),
        Broken("5.2 string longer than 65,536 bytes", "0001617f82ff03" + String(repeating: "61", count: 65_537)),
        Broken("6.3 update above the table that was announced", "3fe21f"),
        Broken("6.3 update above the announced table made smaller", "3f46", limit: 100),
        Broken("4.2 update behind a field", "8220"),
        Broken("4.2 no update although the table was made smaller", "82", limit: 100),
        Broken("4.2 empty block although the table was made smaller", "", limit: 100),
        Broken("4.2 update that is not small enough", "3f4582", limit: 99),
    ]

    @Test(arguments: violations) func theRulesOfTheRFC(rule: Broken) throws {
        let own = OwnDecoder()
        let reference = try ReferenceDecoder()
        if let limit = rule.limit {
            own.limitTable(to: limit)
            try reference.limitTable(to: limit)
        }
        #expect(throws: Violation.self) { try own.decode(hexBytes(rule.hex)) }
        #expect(throws: HTTP2Error.self) { try reference.decode(hexBytes(rule.hex)) }
    }

    /// What looks odd and is allowed.
    @Test(arguments: [
        ("integer with needless zeros", "7f8000026161", 1), ("two updates", "203fe11f82", 1),
        ("only an update", "20", 0),
        ("empty block", "", 0), ("empty name and value", "000000", 1), ("Huffman-coded emptiness", "0001618080", 0),
        ("padding of 7 bits", "0001618207ff", 0),
    ])
    func whatNGHTTP2Says(what: String, hex: String, count: Int) throws {
        let own = Result { try OwnDecoder().decode(hexBytes(hex)) }
        let reference = Result { try ReferenceDecoder().decode(hexBytes(hex)) }
        #expect((try? own.get()) == (try? reference.get()))
    }

    // MARK: Tables

    @Test func aFieldLargerThanTheTableEmptiesIt() throws {
        let decoder = OwnDecoder()
        _ = try decoder.decode(hexBytes("4001610162"))
        let large =
            [0x40, 0x01, 0x61] + HPACKCoding.integer(4064, prefix: 7, pattern: 0) + [UInt8](repeating: 98, count: 4064)
        #expect(try decoder.decode(large).count == 1)
        #expect(throws: Violation.self) { try decoder.decode([0xbe]) }
    }

    /// Section 4.4: the name of a new entry may be the one that it evicts.
    @Test func aNameOutlivesTheEntryItComesFrom() throws {
        let decoder = OwnDecoder()
        let name = [UInt8](repeating: 97, count: 2000)
        let first = [0x40] + HPACKCoding.integer(2000, prefix: 7, pattern: 0) + name + [0x01, 0x62]
        #expect(try decoder.decode(first).count == 1)
        let value = [UInt8](repeating: 99, count: 2000)
        let second = [0x7e] + HPACKCoding.integer(2000, prefix: 7, pattern: 0) + value
        #expect(try decoder.decode(second) == [RawField(name, value)])
        #expect(try decoder.decode([0xbe]) == [RawField(name, value)])
        #expect(throws: Violation.self) { try decoder.decode([0xbf]) }
    }

    /// What is said of a field in the table is said again with each index to it.
    @Test func factsStayWithAnEntry() throws {
        let decoder = OwnDecoder()
        // te: trailers, and a value with a line feed in it, whose name is then used for a sound one.
        _ = try decoder.decode(hexBytes("40027465087472 61696c657273".filter { $0 != " " }))
        #expect(decoder.facts == [.init(source: .added, staticIndex: 0, kind: 2, isSound: true)])
        _ = try decoder.decode(hexBytes("4001610362 0a62".filter { $0 != " " }))
        #expect(decoder.facts.map(\.isSound) == [false])
        _ = try decoder.decode([0xbf, 0xbe])
        #expect(
            decoder.facts == [
                .init(source: .dynamicTable, staticIndex: 0, kind: 2, isSound: true),
                .init(source: .dynamicTable, staticIndex: 0, kind: 1, isSound: false),
            ]
        )
        _ = try decoder.decode(hexBytes("7e0162"))
        #expect(decoder.facts == [.init(source: .added, staticIndex: 0, kind: 1, isSound: true)])
    }

    @Test(arguments: [
        ("A", "b"), ("", "b"), (":", "b"), ("a b", "c"), ("a", " b"), ("a", "b\t"), ("a", "b\u{7f}"),
        ("a", String(repeating: "b", count: 40) + "\n"), ("a", "\u{0}"),
    ])
    func unsoundFieldsAreTold(name: String, value: String) throws {
        let decoder = OwnDecoder()
        _ = try decoder.decode([0x00] + HPACKCoding.plain(name) + HPACKCoding.plain(value))
        #expect(decoder.facts.map(\.isSound) == [false])
    }

    @Test(arguments: [("a", ""), (":x", "b"), ("a-b_c.d!#$%&'*+^`|~9", "b"), ("a", "b\tc"), ("a", "\u{e9}")])
    func soundFieldsAreTold(name: String, value: String) throws {
        let decoder = OwnDecoder()
        _ = try decoder.decode([0x00] + HPACKCoding.plain(name) + HPACKCoding.plain(value))
        #expect(decoder.facts.map(\.isSound) == [true])
    }

    /// RFC 9113, section 6.5.2: what is beyond the limit is counted, and enters the table, but is not handed over.
    @Test func aListBeyondItsLimitIsCut() throws {
        let decoder = OwnDecoder()
        let block = hexBytes("400161016240016301644001650166")
        #expect(try decoder.decode(block, limit: 68) == [RawField("a", "b"), RawField("c", "d")])
        #expect(decoder.size == 102)
        #expect(try decoder.decode([0xbe]) == [RawField("e", "f")])
    }
}

/// The bytes that a text of hexadecimal digits stands for.
func hexBytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
