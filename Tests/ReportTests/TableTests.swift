import Foundation
import Histogram
import Sending
import TestSupport
import Testing

@testable import Report

@Suite("CSV files")
struct TableTests {
    /// As `design.md` has them; the README and other people's scripts rely on every one.
    static let headers: [(ResultFile, String)] = [
        (
            .summary,
            "phase,lane,planned,delivered,rejected,failed,skipped,unanswered,attempts,duration_s,planned_per_s,"
                + "sent_per_s,answered_per_s,peak_sent_per_s,response_mean_us,response_p50_us,response_p90_us,"
                + "response_p99_us,response_p999_us,response_max_us,service_mean_us,service_p50_us,service_p90_us,"
                + "service_p99_us,service_p999_us,service_max_us,lag_mean_us,lag_p50_us,lag_p90_us,lag_p99_us,lag_p999_us,"
                + "lag_max_us,stream_wait_mean_us,stream_wait_p50_us,stream_wait_p90_us,stream_wait_p99_us,"
                + "stream_wait_p999_us,stream_wait_max_us,bytes_out_per_push,bytes_in_per_push,retries,quota_wait_mean_us,"
                + "quota_wait_p50_us,quota_wait_p90_us,quota_wait_p99_us,quota_wait_p999_us,quota_wait_max_us"
        ),
        (
            .timeline,
            "t_s,phase,lane,planned,sent,answered,delivered,rejected,failed,skipped,in_flight,backlog,connections,"
                + "response_p50_us,response_p99_us,response_max_us"
        ),
        (.latency, "lane,clock,from_us,to_us,count,cumulative_share"),
        (.outcomes, "phase,lane,status,reason,disposition,count,share"),
        (.retries, "phase,lane,status,reason,count"),
        (
            .connections,
            "lane,worker,connection,opened_s,closed_s,connect_us,handshake_us,streams,peak_streams,peer_limit_min,"
                + "peer_limit_max,bytes_out,bytes_in,goaway_code,goaway_reason,goaway_last_stream,resets,closed_by,shard,"
                + "credential"
        ),
        (
            .credentials,
            "lane,credential,signed,refreshed,served_from_cache,sign_p50_us,sign_max_us,oldest_used_s,shard,"
                + "tokens_at_s"
        ),
    ]

    @Test(arguments: headers)
    func headerAlsoWithoutRows(file: ResultFile, header: String) {
        #expect(Self.text(file, SampleRun.empty).hasPrefix(header + "\n"))
        #expect(Self.text(file, SampleRun.healthy).hasPrefix(header + "\n"))
    }

    @Test func summaryRows() {
        let rows = Self.text(.summary, SampleRun.healthy).split(separator: "\n").dropFirst()
        let places = rows.map { $0.split(separator: ",").prefix(2).joined(separator: ",") }
        let expected = ["warm-up", "steady", "all"]
            .flatMap { phase in
                ["apns-production", "fcm", "all"].map { "\(phase),\($0)" }
            }
        #expect(places == expected)
        let steady =
            "steady,fcm,7500,7425,75,0,0,0,7500,15.000000,500.000,500.000,500.000,500,"
            + "20531.899,20496.383,20496.383,20496.383,31000.000,31000.000,"
            + "20148.840,20103.167,20103.167,20103.167,30000.000,30000.000,"
            + "200.000,200.000,200.000,200.000,200.000,200.000,4.000,4.000,4.000,4.000,4.000,4.000,200.0,60.0,0,,,,,,"
        #expect(rows.contains { $0 == steady })
        #expect(rows.contains { $0.hasPrefix("all,all,15000,14850,150,0,0,0,15000,15.000000,1000.000,") })
    }

    @Test func nothingMeasuredIsEmptyAndNeverZero() {
        let rows = Self.text(.summary, SampleRun.idle).split(separator: "\n").dropFirst()
        let blanks = String(repeating: ",", count: 30)
        #expect(rows.first == "steady,fcm,0,0,0,0,0,0,0,0.000000\(blanks),0,,,,,,")
        #expect(Self.text(.timeline, SampleRun.idle).split(separator: "\n").count == 1)
    }

    @Test func timelineIsInOrderOfTime() {
        let rows = Self.text(.timeline, SampleRun.healthy).split(separator: "\n").dropFirst()
        #expect(rows.count == 36)
        #expect(rows.first == "0,warm-up,apns-production,500,500,500,495,5,0,0,10,0,2,20004.863,20004.863,27000.000")
        #expect(rows.dropFirst().first?.hasPrefix("0,warm-up,fcm,") == true)
        #expect(rows.last?.hasPrefix("17,steady,fcm,") == true)
    }

    @Test func latencyEndsAtOne() {
        let rows = Self.text(.latency, SampleRun.healthy).split(separator: "\n").dropFirst()
        #expect(rows.first == "apns-production,response,20480.000,20496.384,7463,0.995066667")
        #expect(rows.contains("fcm,batch,60981.248,61014.016,15,1.000000000"))
        let clocks = rows.filter { $0.hasPrefix("fcm,") }.map { $0.split(separator: ",")[1] }
        #expect(Set(clocks) == ["response", "service", "lag", "stream_wait", "handshake", "batch"])
    }

    @Test func outcomesAreSorted() {
        let rows = Self.text(.outcomes, SampleRun.healthy).split(separator: "\n").dropFirst()
        let expected = [
            "steady,fcm,200,,delivered,7425,0.990000",
            "steady,fcm,400,BadDeviceToken,invalidDevice,38,0.005067",
            "steady,fcm,410,Unregistered,removeDevice,37,0.004933",
        ]
        #expect(rows.suffix(3).map(String.init) == expected)
    }

    @Test func retriesAndQuotaWaitsStandApart() {
        var run = SampleRun.healthy
        run.lanes[1].phases[1].counts.retries = 3
        run.lanes[1].phases[1].quotaWait.record(7_000, times: 2)
        run.lanes[1].phases[1].retried = [
            OutcomeRow(status: nil, reason: "timed out", disposition: "failed", count: 1),
            OutcomeRow(status: 429, reason: "RATE_LIMIT_EXCEEDED", disposition: "retryLater", count: 2),
        ]
        let rows = Self.text(.retries, run).split(separator: "\n").dropFirst()
        #expect(rows == ["steady,fcm,429,RATE_LIMIT_EXCEEDED,2", "steady,fcm,,timed out,1"])
        let times = Array(repeating: "7.000", count: 6).joined(separator: ",")
        #expect(Self.text(.summary, run).contains("200.0,60.0,3,\(times)\n"))
        #expect(Self.text(.latency, run).contains("fcm,quota_wait,"))
    }

    @Test func histogramLogHasEveryTagInOrderOfTime() {
        let lines = Self.text(.histograms, SampleRun.healthy).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("Tag=") }.map { $0.split(separator: ",") }
        let clocks = ["response", "service", "lag", "stream_wait", "handshake"]
        let tags = clocks.flatMap { ["Tag=apns-production.\($0)", "Tag=fcm.\($0)"] } + ["Tag=fcm.batch"]
        #expect(Set(rows.map { String($0[0]) }) == Set(tags))
        let starts = rows.compactMap { Double($0[1]) }
        #expect(starts.count == rows.count)
        #expect(starts == starts.sorted())
    }

    /// Another reader's opinion: as many fields as the header in every row, the identity in `summary.csv`, numbers that
    /// are numbers, and the peer's words as they came.
    @Test(
        .enabled(if: Python.hasModules("csv"), "there is no Python"),
        arguments: [SampleRun.healthy, SampleRun.empty, SampleRun.idle, SampleRun.short]
    )
    func pythonReadsThem(run: RunMeasurement) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in ResultFile.allCases {
            try Data(Self.text(file, run).utf8).write(to: folder.appending(path: file.name))
        }
        let said = try Python.run(Self.script, [folder.path])
        let reasons = run.connections.compactMap(\.goAwayReason)
        #expect(try JSONDecoder().decode([String].self, from: said) == reasons)
    }

    private static let script = """
        import csv, glob, json, math, sys
        folder = sys.argv[1]
        tables = {}
        for path in glob.glob(folder + "/*.csv"):
            with open(path, newline="") as file:
                rows = list(csv.reader(file, strict=True))
            assert all(len(row) == len(rows[0]) for row in rows), path
            tables[path.split("/")[-1]] = [dict(zip(rows[0], row)) for row in rows[1:]]
        for name, rows in tables.items():
            for row in rows:
                for column, value in row.items():
                    if value and column.endswith(("_us", "_s", "_per_push", "share", "count")):
                        assert math.isfinite(float(value)), (name, column, value)
        ends = ["delivered", "rejected", "failed", "skipped", "unanswered"]
        for row in tables["summary.csv"]:
            assert int(row["planned"]) == sum(int(row[end]) for end in ends), row
        for row in tables["summary.csv"]:
            if row["lane"] == "all" and row["phase"] != "all":
                parts = [r for r in tables["summary.csv"] if r["phase"] == row["phase"] and r["lane"] != "all"]
                assert int(row["planned"]) == sum(int(part["planned"]) for part in parts)
        record = json.load(open(folder + "/run.json"))
        assert record["schema"] == 1
        print(json.dumps([row["goaway_reason"] for row in tables["connections.csv"]]))
        """

    static func text(_ file: ResultFile, _ run: RunMeasurement) -> String {
        let record = SampleRun.record(run)
        return ResultText.collect { file.write(record, to: $0) }
    }
}
