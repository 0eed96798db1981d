import FoundationEssentials
import Testing

@testable import Report

@Suite("Reading JSON")
struct TapeTests {
    /// What must be read as Foundation's decoder reads it, or refused as it is by it.
    static let texts = [
        "{}", "[]", "[[]]", " [ 1 , -2.5e3 , true , false , null , \"x\" ] ", #"{"a":{"b":[1,{"c":"d"}]},"e":""}"#,
        #""\"\\\/\b\f\n\r\té😀""#, "\"é😀\"", "0", "-0", "1.25", "1e2", "18446744073709551615",
        "", "{", "[", "]", "{\"a\"}", "{a:1}", "{\"a\" 1}", "[1 2]", "01", "-", "1.", ".5", "1e",
        "+1",
        "tru", "nulll", "\"", "\"\\\"", #""\x""#, #""\u12""#, "\"\u{1}\"", "[1] 2", "'a'", "\"a\nb\"", "// x\n1",
    ]

    @Test(arguments: texts)
    func agreesWithFoundation(text: String) {
        let ours = try? TapeDecoder(json: Array(text.utf8)).decode(JSONTree.self)
        let theirs = try? JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
        #expect((ours == nil) == (theirs == nil))
        #expect(Self.text(ours) == Self.text(theirs))
    }

    private static func text(_ tree: JSONTree?) -> String? {
        tree.map { tree in ResultText.collect { OrderedJSON.write(tree, to: $0, brokenDepth: 0) } }
    }

    @Test("A comma after the last element, which Foundation's decoder forgives", arguments: ["[1,]", "{\"a\":1,}"])
    func noCommaAtTheEnd(text: String) {
        #expect(throws: DecodingError.self) { try TapeDecoder(json: Array(text.utf8)).decode(JSONTree.self) }
    }

    @Test(
        "A string that is not UTF-8, or half a surrogate pair, is no text",
        arguments: [[0xFF], [0xC3], Array(#"\ud83d"#.utf8)]
    )
    func noText(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: DecodingError.self) { try TapeDecoder(json: [quote] + bytes + [quote]).decode(String.self) }
    }

    @Test("What ends a string, or may not be in it, is seen wherever it stands", arguments: 0..<20)
    func specialCharacters(place: Int) throws {
        let plain = String(repeating: "é ~!#[]\u{7F}", count: 3)
        let (front, back) = (plain.prefix(place), plain.suffix(20 - place))
        for (inside, meaning) in [(#"\""#, "\""), (#"\\"#, "\\"), (#"\n"#, "\n"), ("\u{80}", "\u{80}"), ("", "")] {
            let text = "[\"\(front)\(inside)\(back)\"]"
            #expect(try TapeDecoder(json: Array(text.utf8)).decode([String].self) == ["\(front)\(meaning)\(back)"])
        }
        for wrong in ["\u{0}", "\u{1F}", "\n", "\"", #"\x"#] {
            let text = "[\"\(front)\(wrong)\(back)\"]"
            #expect(throws: DecodingError.self) { try TapeDecoder(json: Array(text.utf8)).decode([String].self) }
        }
    }

    private struct Members: Decodable, Equatable {
        var a: Int
        var b: UInt8?
        var c: [Int64]
    }

    @Test("Members are found in any order, and missing ones where they may be")
    func members() throws {
        func read(_ text: String) throws -> Members { try TapeDecoder(json: Array(text.utf8)).decode(Members.self) }
        #expect(try read(#"{"a":1,"b":2,"c":[3]}"#) == Members(a: 1, b: 2, c: [3]))
        #expect(try read(#"{"c":[-3,4],"x":{"a":9},"b":null,"\u0061":1}"#) == Members(a: 1, b: nil, c: [-3, 4]))
        #expect(try read(#"{"c":[],"a":-1}"#) == Members(a: -1, b: nil, c: []))
    }

    /// The text, and where and how it is said to be wrong.
    static let wrong = [
        (#"{"a":1,"c":[1,"x"]}"#, "f: c[1]: is not a whole number in range"),
        (#"{"a":1,"b":256,"c":[]}"#, "f: b: is negative, fractional or too large for its field"),
        (#"{"a":1.5,"c":[]}"#, "f: a: is negative, fractional or too large for its field"),
        (#"{"a":null,"c":[]}"#, "f: a: is null, but a whole number in range is needed"),
        (#"{"a":1}"#, "f: c: is missing"), (#"{"a":1,"c":{}}"#, "f: c: is not a list"), ("[]", "f: is not an object"),
        ("{", "f: is not JSON"),
    ]

    @Test(arguments: wrong)
    func placeOfWhatIsWrong(text: String, message: String) {
        do {
            _ = try TapeDecoder(json: Array(text.utf8)).decode(Members.self)
            Issue.record("\(text) was read")
        } catch let error as DecodingError {
            #expect(RecordError(file: "f", error).description == message)
        } catch {
            Issue.record("\(error)")
        }
    }

    /// One second as it is written, and what becomes of it when something is not as we write it.
    @Test("Seconds are read the same by the short way as by the long one")
    func rows() throws {
        let record = SampleRun.record(SampleRun.healthy)
        let rows = record.lanes[0].timeline
        try #require(rows.count > 3)
        let text = ResultText.collect { OrderedJSON.write(rows, to: $0, brokenDepth: 0) }
        let decoder = try TapeDecoder(json: Array(text.utf8))
        #expect(TapeRows.read(decoder) == rows)
        #expect(try [IntervalRecord](from: decoder) == rows)
        let changes = [
            (#""second":"#, #""zeroth":0,"second":"#), (#""sent":"#, #""sent":1e0,"gone":"#), (#""min":"#, #""min":-"#),
            (#""planned":"#, #""planned":99999999999999999999"#), (#""v2":""#, #""v2":"!"#),
            (#""sum":""#, #""sum":"x"#),
            (#""backlog":"#, #""backlog":null,"x":"#), ("[{", "[1,{"),
        ]
        for (old, new) in changes {
            let changed = text.replacing(old, with: new, maxReplacements: 1)
            try #require(changed != text)
            let decoder = try TapeDecoder(json: Array(changed.utf8))
            #expect(TapeRows.read(decoder) == nil, "\(new)")
            // The long way says what is wrong, if anything is.
            let long = Result { try [IntervalRecord](from: decoder) }
            let chosen = Result { try decoder.decode([IntervalRecord].self) }
            #expect("\(long)" == "\(chosen)")
        }
        #expect(TapeRows.read(try TapeDecoder(json: Array("[]".utf8))) == [])
        #expect(TapeRows.read(try TapeDecoder(json: Array("{}".utf8))) == nil)
    }
}
