import Foundation
import Report
import Testing

@testable import pushbench

@Suite("Exports and pages of the report command")
struct ReportExportTests {
    private func write(_ record: RunRecord, to path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let text = ResultText.collect { record.write(to: $0) }
        try Data(text.utf8).write(to: URL(filePath: path + "/run.json"))
    }

    @Test("Forms asked for are written beside the other files, each once")
    func exports() throws {
        try Program.inFolder { program in
            let root = program.folder.path
            try write(ResultFolderTests.record, to: root + "/a")
            let words = ["report", "a", "--out", "b", "--quiet", "--export", "junit,hlog,junit", "--export=baseline"]
            let outcome = try program.run(words)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
            let names = try FileManager.default.contentsOfDirectory(atPath: root + "/b").sorted()
            #expect(names == (ResultFile.allCases.map(\.name) + ["baseline.json", "junit.xml"]).sorted())
            let same = try program.run("compare", "b/baseline.json", "b", "--json")
            #expect(same.code == 0 && same.output.contains(#""word":"same""#), "\(same)")
            let unknown = try program.run("report", "a", "--export", "junit,csv")
            #expect(
                unknown.code == 64
                    && unknown.errors.contains("--export has \"csv\"; allowed: github-action-benchmark, ")
            )
        }
    }

    @Test("An INVALID run writes no history, and says so")
    func invalid() throws {
        try Program.inFolder { program in
            var record = ResultFolderTests.record
            record.verdict = Verdict(causes: [VerdictCause(.stall, "a worker stood still")])
            try write(record, to: program.folder.path + "/a")
            let outcome = try program.run("report", "a", "--quiet", "--export", "bencher,junit")
            #expect(outcome.code == 3 && outcome.errors.contains("no bencher of an INVALID run"), "\(outcome)")
            let names = try FileManager.default.contentsOfDirectory(atPath: program.folder.path + "/a")
            #expect(names.contains("junit.xml") && !names.contains("bencher.json"))
        }
    }

    @Test("Several results make one page, in a folder that must be named")
    func overlay() throws {
        try Program.inFolder { program in
            for name in ["a", "b"] { try write(ResultFolderTests.record, to: program.folder.path + "/\(name)") }
            let missing = try program.run("report", "a", "b")
            #expect(missing.code == 64 && missing.errors.contains("several results need --out DIR"))
            let outcome = try program.run("report", "a", "b", "--out", "both")
            #expect(outcome.code == 0 && outcome.output == "both/report.html\n", "\(outcome)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: program.folder.path + "/both") == ["report.html"]
            )
            let page = try program.read("both/report.html")
            #expect(page.contains("<h1>2 runs</h1>"))
        }
    }
}
