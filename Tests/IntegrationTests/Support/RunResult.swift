import Foundation
import TestSupport
import Testing

/// The files of a result, read as a stranger would read them.
struct RunResult: Sendable {
    static let names = [
        "connections.csv", "credentials.csv", "histograms.hlog", "latency.csv", "outcomes.csv", "report.html",
        "retries.csv",
        "run.json",
        "summary.csv", "summary.md", "timeline.csv",
    ]

    /// Where the files were; they may be gone by now.
    let folder: String
    /// Every file in the folder.
    let files: [String: Data]
    /// What the command said.
    let outcome: Program.Outcome
    let summary: CSVTable
    let timeline: CSVTable
    let latency: CSVTable
    let outcomes: CSVTable
    let connections: CSVTable
    let credentials: CSVTable
    /// The fields of `run.json` that tests look at.
    let record: Record

    struct Record: Decodable, Sendable {
        struct Verdict: Decodable, Sendable {
            struct Cause: Decodable, Sendable {
                let name: String
            }
            let word: String
            let causes: [Cause]
        }
        struct Generator: Decodable, Sendable {
            struct Ceiling: Decodable, Sendable {
                let pushes: UInt64
                let duration: Int64
            }
            let workers: Int
            let longestStall: Int64
            let ceiling: Ceiling?
        }
        struct Phase: Decodable, Sendable {
            let end: Int64
        }
        struct Accounting: Decodable, Sendable {
            let planned: Int
            let delivered: Int
            let rejected: Int
            let failed: Int
            let skipped: Int
            let unanswered: Int
            let attempts: Int
            let retries: Int
        }
        let duration: Int64
        let phases: [Phase]
        let accounting: Accounting
        let interrupted: Bool
        let faultyLane: String?
        let verdict: Verdict
        let planHash: String
        let sentHash: String
        let seed: UInt64
        let generator: Generator
    }

    init(folder: String, outcome: Program.Outcome) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let files = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) }
        )
        func table(_ name: String) throws -> CSVTable {
            try CSVTable(String(decoding: #require(files[name]), as: UTF8.self))
        }
        self.folder = folder
        self.files = files
        self.outcome = outcome
        summary = try table("summary.csv")
        timeline = try table("timeline.csv")
        latency = try table("latency.csv")
        outcomes = try table("outcomes.csv")
        connections = try table("connections.csv")
        credentials = try table("credentials.csv")
        record = try JSONDecoder().decode(Record.self, from: #require(files["run.json"]))
    }
}

extension RunResult {
    /// Checks in every row that each planned push has exactly one end, and that each end is named.
    func checkAccounting(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(!summary.rows.isEmpty, sourceLocation: sourceLocation)
        for row in summary.rows {
            let ends = try ["delivered", "rejected", "failed", "skipped", "unanswered"].map { try row.count($0) }
            #expect(try row.count("planned") == ends.reduce(0, +), "\(row)", sourceLocation: sourceLocation)
            guard row["lane"] != "all", row["phase"] != "all" else { continue }
            let named = try outcomes.rows.filter { $0["phase"] == row["phase"] && $0["lane"] == row["lane"] }
                .reduce(0) { $0 + (try $1.count("count")) }
            #expect(try row.count("planned") == named, "\(row)", sourceLocation: sourceLocation)
        }
        try checkSums(sourceLocation: sourceLocation)
    }

    /// Checks that the rows for all lanes are the sums of the lanes' rows.
    private func checkSums(sourceLocation: SourceLocation) throws {
        for all in summary.rows where all["lane"] == "all" {
            let parts = summary.rows.filter { $0["lane"] != "all" && $0["phase"] == all["phase"] }
            for column in ["planned", "delivered", "rejected", "failed", "skipped", "unanswered", "attempts"] {
                let sum = try parts.reduce(0) { $0 + (try $1.count(column)) }
                #expect(try all.count(column) == sum, "\(column) of \(all)", sourceLocation: sourceLocation)
            }
        }
    }

    /// The sum of a column of `summary.csv` over the lanes and phases.
    func total(_ column: String) throws -> Int {
        try summary.rows.filter { $0["lane"] != "all" && $0["phase"] != "all" }
            .reduce(0) { $0 + (try $1.count(column)) }
    }

    /// How many pushes ended in each way.
    func endings() throws -> [Ending: Int] {
        try outcomes.rows.reduce(into: [:]) { $0[Ending($1)] = try $1.count("count") }
    }

    /// In which counts the pushes' endings differ from those expected, for some lanes; empty where all is well.
    func differences(from expected: [Ending: Int], lanes: Set<String>? = nil) throws -> [String] {
        let found = try endings().filter { lanes?.contains($0.key.lane) ?? true }
        return Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
            .map { "\($0): \(found[$0] ?? 0), expected \(expected[$0] ?? 0)" }.sorted()
    }
}

/// A way for pushes to end, as `outcomes.csv` tells them apart.
struct Ending: Hashable, CustomStringConvertible {
    var phase: String
    var lane: String
    var status: String
    var reason: String
    var disposition: String

    var description: String { "\(phase) \(lane): \(status) \(reason) \(disposition)" }
}

extension Ending {
    fileprivate init(_ row: CSVTable.Row) {
        self.init(
            phase: row["phase"],
            lane: row["lane"],
            status: row["status"],
            reason: row["reason"],
            disposition: row["disposition"]
        )
    }
}
