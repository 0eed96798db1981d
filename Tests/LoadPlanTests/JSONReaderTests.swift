import Testing

@testable import LoadPlan

@Suite("JSON as people write it")
struct JSONReaderTests {
    @Test(
        "What is read, written back without spaces",
        arguments: [
            ("{}", "{}"), (" [1, 2,] // end", "[1,2]"),
            ("{a: 1, 'b': \"x\", apns-sandbox: null,}", #"{"a":1,"b":"x","apns-sandbox":null}"#),
            ("/* a\n * b **/ true", "true"), ("-0.5e+3", "-0.5e+3"), ("0", "0"), ("\u{FEFF}[]", "[]"),
            (#""\u00e9\ud83d\ude00\n\"\\\/""#, #""é😀\n\"\\/""#), ("'it\\'s'", #""it's""#), (#""\u0001""#, #""\u0001""#),
            ("[false,\r\n\tnull]", "[false,null]"),
        ]
    )
    func accepted(text: String, expected: String) throws {
        #expect(try JSONWriter.compact(JSONReader.read(text)) == expected)
    }

    @Test(
        "What is refused, with its line",
        arguments: [
            ("", 1, "expected a value, but the file ends"),
            ("{\"a\": 1\n\"b\": 2}", 2, "expected \",\" or \"}\" after the value of \"a\", found \"\"b\":\""),
            ("{\"a\":\n}", 2, "expected a value, found \"}\""),
            ("[1,2,,3]", 1, "expected a value, found \",3]\""),
            ("[1 2]", 1, "expected \",\" or \"]\" after a list's element, found \"2]\""),
            ("{a 1}", 1, "expected \":\" after \"a\", found \"1}\""),
            ("{a: 1,\n a: 2}", 2, "\"a\" occurs twice in one object"),
            ("{\n\"a", 2, "a string has no closing quote on its line"),
            ("\"a\nb\"", 1, "a string has no closing quote on its line"),
            ("{} x", 1, "expected the end of the file, found \"x\""),
            ("tru", 1, "expected a value, found \"tru\""),
            ("1_000", 1, "a number ends after 1; a quantity with a unit or \"_\" is written in quotes"),
            ("10000/s", 1, "expected a comment after \"/\", found \"s\""),
            ("5s", 1, "a number ends after 5; a quantity with a unit or \"_\" is written in quotes"),
            ("01", 1, "a number has no leading zeros"),
            ("-", 1, "expected a digit after \"-\", but the file ends"),
            ("1.", 1, "expected a digit after \".\", but the file ends"),
            ("1e", 1, "expected a digit in the exponent, but the file ends"),
            ("NaN", 1, "expected a value, found \"NaN\""),
            (#""\q""#, 1, #""\q" is not an escape"#),
            (#""\ud83d""#, 1, "half of a surrogate pair"),
            (#""\u12g4""#, 1, "expected four hexadecimal digits after \"\\u\", found \"g4\"\""),
            ("\n/* no end", 2, "a comment has no end"),
            (String(repeating: "[", count: 65), 1, "nested more than 64 levels deep"),
        ] as [(String, Int, String)]
    )
    func refused(text: String, line: Int, message: String) {
        #expect(throws: JSONReader.Failure(line: line, message: message)) { try JSONReader.read(text) }
    }

    @Test("The text written with indents reads back to the same tree")
    func pretty() throws {
        let text = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": \"d\"\n  },\n  \"e\": []\n}\n"
        #expect(try JSONWriter.pretty(JSONReader.read(text)) == text)
    }

    @Test(
        "Overrides put a value at a path",
        arguments: [
            ("a.b=2", "{a:{b:1}}", #"{"a":{"b":2}}"#), ("a[1]=x", "{a:[1]}", #"{"a":[1,"x"]}"#),
            ("a.b.c=true", "{}", #"{"a":{"b":{"c":true}}}"#), ("a[0].b=2000/s", "{}", #"{"a":[{"b":"2000/s"}]}"#),
            ("a={b:'1/s',}", "{a:[]}", #"{"a":{"b":"1/s"}}"#),
            ("a.apns-sandbox=1_000", "{}", #"{"a":{"apns-sandbox":"1_000"}}"#),
            ("a=", "{}", #"{"a":""}"#), ("a=b=c", "{}", #"{"a":"b=c"}"#), ("a[0][0]=1", "{}", #"{"a":[[1]]}"#),
        ]
    )
    func overrides(option: String, text: String, expected: String) throws {
        var node = try JSONReader.read(text)
        try JSONOverride(option).apply(to: &node)
        #expect(JSONWriter.compact(node) == expected)
    }

    @Test(
        "Overrides that cannot be followed",
        arguments: [
            ("a", "has no \"=\"; expected PATH=VALUE such as load.phases[0].rate=2000/s"),
            ("=1", "names no field; expected a path such as fleet.size"),
            ("a..b=1", "names no field; expected a path such as fleet.size"),
            ("l[x]=1", "has \"[x]\" in its path; expected an index such as [0]"),
            ("l[0=1", "has \"[0\" in its path; expected an index such as [0]"),
            ("l[3]=1", "names l[3], but l has 1 elements"), ("n.x=1", "goes into n, which is not an object"),
            ("n[0]=1", "goes into n, which is not a list"),
        ]
    )
    func overrideFailures(option: String, message: String) throws {
        var node = try JSONReader.read("{l:[1], n:1}")
        #expect(throws: JSONOverride.Failure(message: message)) { try JSONOverride(option).apply(to: &node) }
    }
}
