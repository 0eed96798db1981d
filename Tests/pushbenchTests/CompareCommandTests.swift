import Foundation
import LoadPlan
import Report
import Testing

@testable import pushbench

@Suite("compare command")
struct CompareCommandTests {
    private func write(_ record: RunRecord, to path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let text = ResultText.collect { record.write(to: $0) }
        try Data(text.utf8).write(to: URL(filePath: path + "/run.json"))
    }

    @Test("Results, folders of results and records are sides; INVALID, interrupted and unlike ones are refused")
    func sides() throws {
        try Program.inFolder { program in
            let root = program.folder.path
            try write(ResultFolderTests.record, to: root + "/a")
            for number in 1...2 { try write(ResultFolderTests.record, to: root + "/many/\(number)") }
            try write(ResultFolderTests.record, to: root + "/many/.hidden")
            var invalid = ResultFolderTests.record
            invalid.verdict = Verdict(causes: [VerdictCause(.stall, "a worker stood still")])
            try write(invalid, to: root + "/invalid")
            var interrupted = ResultFolderTests.record
            interrupted.interrupted = true
            try write(interrupted, to: root + "/interrupted")
            var other = ResultFolderTests.record
            other.environment.toolchain = "Swift 7"
            try write(other, to: root + "/other")
            try FileManager.default.createDirectory(atPath: root + "/empty", withIntermediateDirectories: true)

            let same = try program.run("compare", root + "/a", root + "/many")
            #expect(same.code == 0 && same.output.hasPrefix("A: \(root)/a (1 run) · B: \(root)/many (2 runs)\n"))
            let json = try program.run("compare", root + "/a/run.json", root + "/a", "--json")
            #expect(json.code == 0 && json.output.contains(#""worse":false"#))
            let cases: [([String], Int32, String)] = [
                (["a", "invalid"], 3, "/invalid: the run is INVALID, so its numbers say nothing"),
                (
                    ["interrupted", "a"], 1,
                    "/interrupted: the run was interrupted, so its numbers are not those of its profile"
                ),
                (
                    ["a", "other"], 1,
                    "are not alike (toolchain: Swift 6.3.1 / Swift 7); --across compares them all the same"
                ),
                (["a", "empty"], 1, "/empty: holds no run.json, and no folder that does"),
                (["a", "none"], 1, "/none: No such file or directory"),
            ]
            for (names, code, message) in cases {
                let outcome = try program.run("compare", root + "/" + names[0], root + "/" + names[1])
                #expect(outcome.code == code && outcome.errors.contains(message), "\(names): \(outcome.errors)")
            }
            let across = try program.run("compare", root + "/a", root + "/other", "--across", "--markdown")
            #expect(across.code == 0 && across.output.hasPrefix("## Not worse\n"))
        }
    }

    @Test("The least effect is a percentage", arguments: ["0", "101", "x", "-1"])
    func effect(text: String) throws {
        let arguments = try Arguments(["a", "b", "--effect=" + text], for: CompareCommand.form)
        let error = #expect(throws: CommandFailure.self) { try CompareCommand(arguments) }
        #expect(error?.code == .usage)
    }
}
