import Foundation
import Histogram
import LoadPlan
import Sending
import Testing

@testable import Report
@testable import pushbench

@Suite("Result folder")
struct ResultFolderTests {
    @Test func aNewFolderAppearsWhole() throws {
        try Self.inTemporaryFolder { root in
            let folder = try ResultFolder(preparing: root + "/a/b/result/")
            // Until there is a result, nothing is left of having tried.
            #expect(try Self.names(root) == [])
            #expect(try folder.write(Self.record) == root + "/a/b/result")
            #expect(try Self.names(root + "/a/b") == ["result"])
            #expect(try Self.names(root + "/a/b/result") == ResultFile.allCases.map(\.name).sorted())
            for file in ResultFile.allCases {
                let written = try ResultFileReader.read("\(folder.path)/\(file.name)")
                #expect(
                    String(decoding: written, as: UTF8.self) == ResultText.collect { file.write(Self.record, to: $0) }
                )
            }
        }
    }

    @Test func aFolderThatIsThereKeepsOtherFiles() throws {
        try Self.inTemporaryFolder { root in
            try Data("old".utf8).write(to: URL(filePath: root + "/summary.csv"))
            try Data("mine".utf8).write(to: URL(filePath: root + "/notes.txt"))
            try ResultFolder(preparing: root).write(Self.record)
            #expect(try Self.names(root) == (ResultFile.allCases.map(\.name) + ["notes.txt"]).sorted())
            #expect(try ResultFileReader.read(root + "/notes.txt") == Array("mine".utf8))
            #expect(try ResultFileReader.read(root + "/summary.csv").starts(with: Array("phase,lane,".utf8)))
        }
    }

    @Test func nothingIsLeftOfAResultThatFailed() throws {
        try Self.inTemporaryFolder { root in
            let folder = try ResultFolder(preparing: root + "/result")
            // The place is taken by a file while the run goes on.
            try Data().write(to: URL(filePath: root + "/result"))
            #expect(throws: ResultFolderError.self) { try folder.write(Self.record) }
            #expect(try Self.names(root) == ["result"])
        }
    }

    @Test func resultsOfTheSameSecondDoNotMix() throws {
        try Self.inTemporaryFolder { root in
            let folders = try (0..<3).map { _ in try ResultFolder(preparing: root + "/x/result", staysAlone: true) }
            let paths = try folders.map { try $0.write(Self.record) }
            #expect(paths == ["result", "result-2", "result-3"].map { "\(root)/x/\($0)" })
            #expect(try Self.names(root + "/x") == ["result", "result-2", "result-3"])
        }
    }

    @Test func aPlaceThatCannotBeAFolderIsNamed() throws {
        try Self.inTemporaryFolder { root in
            try Data().write(to: URL(filePath: root + "/file"))
            for path in [root + "/file", root + "/file/result"] {
                let error = #expect(throws: ResultFolderError.self) { _ = try ResultFolder(preparing: path) }
                #expect(error?.description == "\(root)/file: is not a folder")
            }
        }
    }

    @Test func aFullDiskIsNamed() throws {
        let error = #expect(throws: ResultFolderError.self) {
            try ResultFileWriter.write("/dev/full") { $0.append("anything") }
        }
        #expect(error?.description == "/dev/full: No space left on device")
    }

    @Test func standardPathIsSafeAndNew() throws {
        let time = UTCTime(nanoseconds: 1_796_030_400_125_000_000)
        #expect(ResultFolder.standardPath(for: "mixed-fleet", at: time) == "Results/2026-11-30T092000Z-mixed-fleet")
        #expect(ResultFolder.standardPath(for: "../a b/ü", at: time) == "Results/2026-11-30T092000Z-..-a-b-ü")
    }

    static let record: RunRecord = {
        var lane = LaneMeasurement(name: "fcm", phases: 1)
        lane.phases[0].counts.planned = 2
        lane.phases[0].counts.delivered = 2
        lane.phases[0].outcomes = [OutcomeRow(status: 200, reason: "", disposition: "delivered", count: 2)]
        lane.phases[0].clocks.response.record(1_234_567, times: 2)
        let run = RunMeasurement(
            phases: [RunMeasurement.Phase(name: "steady", warmUp: false, start: 0, end: 1_000_000_000)],
            lanes: [lane],
            startedAt: 1_796_030_400_125_000_000
        )
        let machine = MachineRecord(
            processor: "Some CPU",
            architecture: "x86_64",
            cores: 2,
            usableCores: 2,
            memoryBytes: 1 << 32,
            isVirtual: false,
            kernel: "6.1.0",
            distribution: "Debian GNU/Linux 12 (bookworm)"
        )
        let environment = RunEnvironment(
            revision: "0123abc",
            toolchain: "Swift 6.3.1",
            machine: machine,
            libraries: [],
            allocator: "jemalloc 5.3.0",
            hosts: "mock hosts, faithful",
            devices: 2
        )
        return RunRecord(measurement: run, profile: Profile(), environment: environment)
    }()

    static func inTemporaryFolder(_ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.path + "/pushbench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        try body(root)
    }

    static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}

@Suite("report command")
struct ReportCommandTests {
    @Test func everyFileIsMadeAgainByteForByte() throws {
        try ResultFolderTests.inTemporaryFolder { root in
            try ResultFolder(preparing: root + "/result").write(ResultFolderTests.record)
            let before = try Self.contents(root + "/result")
            for file in ResultFile.allCases where file != .record {
                try Data("spoiled".utf8).write(to: URL(filePath: "\(root)/result/\(file.name)"))
            }
            let inPlace = try ReportCommand.remake(root + "/result/", into: nil)
            #expect(inPlace.record == ResultFolderTests.record)
            #expect(inPlace.folder == root + "/result")
            #expect(try Self.contents(root + "/result") == before)
            _ = try ReportCommand.remake(root + "/result/run.json", into: root + "/copy")
            #expect(try Self.contents(root + "/copy") == before)
        }
    }

    @Test func theRecordIsCopiedAsItStands() throws {
        try ResultFolderTests.inTemporaryFolder { root in
            let json = ResultText.collect { ResultFolderTests.record.write(to: $0) }
            let newer = json.replacingOccurrences(of: "\"schema\": 1,", with: "\"schema\": 1, \"later\": [1],")
            try Data(newer.utf8).write(to: URL(filePath: root + "/baseline.json"))
            _ = try ReportCommand.remake(root + "/baseline.json", into: root + "/copy")
            #expect(try ResultFileReader.read(root + "/copy/run.json") == Array(newer.utf8))
        }
    }

    @Test func whatCannotBeReadIsNamedAndNothingIsWritten() throws {
        try ResultFolderTests.inTemporaryFolder { root in
            let missing = #expect(throws: CommandFailure.self) {
                _ = try ReportCommand.remake(root + "/none", into: root + "/out")
            }
            #expect(missing?.message == "\(root)/none/run.json: No such file or directory")
            try Data("{\"schema\": 1}".utf8).write(to: URL(filePath: root + "/run.json"))
            let damaged = #expect(throws: CommandFailure.self) {
                _ = try ReportCommand.remake(root, into: root + "/out")
            }
            #expect(damaged?.message == "\(root)/run.json: name: is missing")
            #expect(try ResultFolderTests.names(root) == ["run.json"])
        }
    }

    @Test func theWholeCommand() throws {
        try ResultFolderTests.inTemporaryFolder { root in
            try ResultFolder(preparing: root + "/result").write(ResultFolderTests.record)
            let words = ["report", root + "/result", "--quiet", "--out"]
            #expect(CommandLineTool.run(words + [root + "/copy"]) == .success)
            #expect(try Self.contents(root + "/copy") == Self.contents(root + "/result"))
            #expect(CommandLineTool.run(words + [root + "/copy/run.json"]) == .failure)
            #expect(CommandLineTool.run(["report"]) == .usage)
            var invalid = ResultFolderTests.record
            invalid.verdict = Verdict(causes: [VerdictCause(.lag, "late")])
            try ResultFolder(preparing: root + "/invalid").write(invalid)
            #expect(CommandLineTool.run(["report", root + "/invalid", "--quiet"]) == .invalid)
        }
    }

    private static func contents(_ folder: String) throws -> [String: [UInt8]] {
        try ResultFolderTests.names(folder).reduce(into: [:]) { $0[$1] = try ResultFileReader.read("\(folder)/\($1)") }
    }
}
