import LoadPlan
import Sending
import Testing

@testable import Report

@Suite("Record")
struct RecordTests {
    static let runs = [SampleRun.healthy, SampleRun.empty, SampleRun.idle, SampleRun.short]

    @Test(arguments: runs)
    func comesBackAsItWentIn(run: RunMeasurement) throws {
        let record = SampleRun.record(run)
        let json = Self.json(record)
        let back = try RunRecord(json: Array(json.utf8), file: "run.json")
        #expect(back == record)
        #expect(Self.json(back) == json)
    }

    @Test(arguments: runs)
    func everyFileIsMadeAgainFromTheRecordAlone(run: RunMeasurement) throws {
        let record = SampleRun.record(run)
        let back = try RunRecord(json: Array(Self.json(record).utf8), file: "run.json")
        for file in ResultFile.allCases {
            let first = ResultText.collect { file.write(record, to: $0) }
            let again = ResultText.collect { file.write(back, to: $0) }
            #expect(first == again, "\(file.name)")
        }
        #expect(
            TerminalSummary(record, colours: true).text(folder: "x")
                == TerminalSummary(back, colours: true).text(folder: "x")
        )
        #expect(JSONSummary.text(record, folder: "x") == JSONSummary.text(back, folder: "x"))
    }

    @Test func startsWithWhatMatters() throws {
        let lines = Self.json(SampleRun.record(SampleRun.healthy)).split(separator: "\n")
        #expect(lines.first == "{")
        #expect(lines.last == "}")
        let expected = [
            #"  "schema": 1,"#, #"  "name": "mixed-fleet","#, #"  "startedAt": "2026-11-30T09:20:00.125000000Z","#,
            #"  "duration": 18040000000,"#, #"  "interrupted": false,"#, #"  "verdict": {"#, #"    "word": "VALID","#,
        ]
        #expect(lines.dropFirst().prefix(expected.count).map(String.init) == expected)
        #expect(lines.contains(#"  "planHash": "0123456789abcdef","#))
        #expect(lines.contains(#"  "sentHash": "00000000000000ff","#))
    }

    @Test func accountingIsTheSumOfEverything() {
        let accounting = SampleRun.record(SampleRun.healthy).accounting
        #expect(accounting.planned == 18_000)
        #expect(accounting.holds)
    }

    @Test func aProfileOfAnOlderSchemaIsKept() throws {
        let json = #"{"zeta": [1, -2, 18446744073709551615, 0.45], "alpha": {"on": true, "off": null, "name": "x\"y"}}"#
        let text = try ProfileText(json: json)
        let sorted =
            #"{"alpha":{"name":"x\"y","off":null,"on":true},"zeta":[1,-2,18446744073709551615,0.45]}"#
        #expect(text.text == sorted)
        #expect(try ProfileText(json: text.text) == text)
    }

    /// What is replaced in a good record, by what, and the one line that must come of it.
    static let damaged: [(String, String, String)] = [
        (#""schema": 1"#, #""schema": 2"#, "run.json: schema: is 2; this pushbench reads 1"),
        (#""schema": 1,"#, "", "run.json: schema: is missing"),
        (#""seed": 42"#, #""seed": -1"#, "run.json: seed: is negative, fractional or too large"),
        (#""seed": 42"#, #""seed": "42""#, "run.json: seed: is not a whole number in range"),
        (#""seed": 42"#, #""seed": null"#, "run.json: seed: is null, but a whole number in range is needed"),
        (#""interrupted": false"#, #""interrupted": 0"#, "run.json: interrupted: is not true or false"),
        (#""2026-11-30T"#, #""2026-13-30T"#, "run.json: startedAt: is not a UTC time such as"),
        (#""0123456789abcdef""#, #""0123""#, "run.json: planHash: is not 16 hexadecimal digits"),
        (#""word": "VALID""#, #""word": "INVALID""#, "run.json: verdict.word: contradicts the causes"),
        (#""profile": {"#, #""profile": 7, "x": {"#, "run.json: profile: is not an object"),
        (
            #"{"counts":{"planned":1500"#, #"{"counts":{"planned":"many""#,
            "run.json: lanes[0].phases[0].counts.planned: is not a whole number in range"
        ),
        (
            #"{"counts":{"planned":1500"#, #"{"counts":{"planned":1501"#,
            "run.json: accounting: is not the sum over lanes and phases"
        ),
        (#""name": "fcm""#, #""name": "f,cm""#, "run.json: lanes[1].name: is empty or has a comma or space"),
        (#""second":1,"#, #""second":0,"#, "run.json: lanes[0].timeline[1].second: is not later than the one before"),
        (#""second":1,"phase":0"#, #""second":1,"phase":9"#, "run.json: lanes[0].timeline[1].phase: is 9, but the run"),
        (
            #""duration": 3000000000"#, #""duration": 3000000001"#,
            "run.json: phases[0].duration: is not between 0 and the time from start to end"
        ),
        (#""end": 3000000000"#, #""end": -3"#, "run.json: phases[0].end: is before the phase's start"),
        (#""v2": "HISTF"#, #""v2": "?ISTF"#, "run.json: lanes[0].handshake: encoded histogram: not base64"),
        (#""v2": "HISTF"#, #""v2": "AISTF"#, "run.json: lanes[0].handshake: encoded histogram: starts with 0x"),
        ("{\n", "", "run.json: is not JSON"),
    ]

    @Test(arguments: damaged)
    func damageIsNamed(good: String, bad: String, message: String) throws {
        let json = Self.healthyJSON
        let range = try #require(json.firstRange(of: good))
        let damaged = json.replacingCharacters(in: range, with: bad)
        let error = #expect(throws: RecordError.self) {
            _ = try RunRecord(json: Array(damaged.utf8), file: "run.json")
        }
        let description = try #require(error?.description)
        #expect(description.hasPrefix(message), "\(description)")
        #expect(!description.contains("\n"))
    }

    private static let healthyJSON = json(SampleRun.record(SampleRun.healthy))

    static func json(_ record: RunRecord) -> String {
        ResultText.collect { record.write(to: $0) }
    }
}

extension String {
    fileprivate func firstRange(of part: String) -> Range<String.Index>? {
        ranges(of: part).first
    }

    fileprivate func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
        var copy = self
        copy.replaceSubrange(range, with: other)
        return copy
    }
}
