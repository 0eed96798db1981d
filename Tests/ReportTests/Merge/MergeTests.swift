import Histogram
import LoadPlan
import Sending
import Testing

@testable import Report

@Suite("Merging records")
struct MergeTests {
    private static func merged(_ records: [RunRecord], _ rules: RecordMerge.Rules = .init()) throws -> RunRecord {
        var merge = RecordMerge()
        for record in records { try merge.add(record, file: "test") }
        return try merge.result(rules, file: "test")
    }

    private static func causes(_ records: [RunRecord], _ rules: RecordMerge.Rules = .init()) throws -> [String] {
        try merged(records, rules).verdict.causes.map { "\($0.name.rawValue): \($0.sentence)" }
    }

    private static let four = (1...4).map { SampleShard.record($0, of: 4, seed: UInt64($0)) }

    /// Shards of all kinds: late, twice, of another profile.
    private static func some(_ random: inout SplitMix) -> [RunRecord] {
        // More than are joined at once, so that joined ones are joined again.
        (0..<Int.random(in: 2..<20, using: &random))
            .map { _ in
                let other = Int.random(in: 0..<6, using: &random) == 0
                var record = SampleShard.record(
                    .random(in: 1...5, using: &random),
                    of: 5,
                    seed: random.next(),
                    late: .random(in: 0..<3 * SampleRun.second, using: &random)
                ) {
                    if other { ($0.name, $0.seed) = ("other", 43) }
                }
                record.abortedBy = [nil, "all.response", "fcm.service"].randomElement(using: &random) ?? nil
                record.faultyLane = [nil, LaneName.fcm, LaneName.apnsSandbox].randomElement(using: &random) ?? nil
                return record
            }
    }

    @Test("Any order and any grouping give the same bytes", arguments: 0..<40)
    func anyGrouping(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var rest = Self.some(&random)
        let expected = RecordTests.json(try Self.merged(rest))
        while rest.count > 1 {
            rest.shuffle(using: &random)
            let size = Int.random(in: 1...rest.count, using: &random)
            // As it comes back from a file.
            let group = RecordTests.json(try Self.merged(Array(rest.prefix(size))))
            rest = rest.dropFirst(size) + [try RunRecord(json: Array(group.utf8), file: "group")]
        }
        #expect(RecordTests.json(try Self.merged(rest)) == expected)
    }

    @Test("Counts, hashes and histograms are sums")
    func sums() throws {
        let merged = try Self.merged(Self.four)
        #expect(merged.verdict.isValid, "\(merged.verdict.causes)")
        #expect(merged.accounting.planned == Self.four.reduce(0) { $0 + $1.accounting.planned })
        #expect(merged.accounting.holds)
        #expect(merged.sentHash.value == Self.four.reduce(0) { $0 &+ $1.sentHash.value })
        #expect(merged.generator.workers == Self.four.reduce(0) { $0 + $1.generator.workers })
        #expect(merged.duration == Self.four.map(\.duration).max())
        for lane in merged.lanes {
            let parts = Self.four.flatMap(\.lanes).filter { $0.name == lane.name }
            #expect(lane.bytesOut == parts.reduce(0) { $0 + $1.bytesOut })
            for phase in 0..<2 {
                let times = parts.reduce(into: Histogram()) { $0.merge($1.phases[phase].response.values) }
                #expect(lane.phases[phase].response == RecordedHistogram(times))
            }
            #expect(lane.timeline.reduce(0) { $0 + $1.sent } == parts.flatMap(\.timeline).reduce(0) { $0 + $1.sent })
            #expect(lane.timeline.map(\.second) == Array(0..<(parts.map(\.timeline.count).max() ?? 0)))
        }
    }

    @Test("What ended one shard early is said of the whole", arguments: 0..<4)
    func earlyEnds(shard: Int) throws {
        var records = Self.four
        records[shard].abortedBy = "all.response"
        records[(shard + 1) % 4].faultyLane = LaneName.fcm
        records[(shard + 2) % 4].shards?[0].generator.failure = "worker 0: epoll_wait: Bad file descriptor"
        let merged = try Self.merged(records)
        #expect(merged.abortedBy == "all.response" && merged.faultyLane == LaneName.fcm)
        #expect(merged.generator.failure == "worker 0: epoll_wait: Bad file descriptor")
        #expect(try Self.merged(Self.four).abortedBy == nil)
    }

    @Test("What was sent again and what a quota held up are sums too, also where only some shards have them")
    func retries() throws {
        var records = Self.four
        let lane = records[0].lanes[0].name
        for (index, times) in [(1, 5), (2, 7)] as [(Int, UInt64)] {
            guard let place = records[index].lanes.firstIndex(where: { $0.name == lane }) else { continue }
            var waits = Histogram()
            waits.record(1_000, times: times)
            records[index].lanes[place].phases[1].quotaWait = RecordedHistogram(waits)
            records[index].lanes[place].phases[1].retried = [
                OutcomeRow(status: 429, reason: "TooManyRequests", disposition: "retryLater", count: times)
            ]
        }
        let kept = records.flatMap(\.lanes).compactMap { $0.phases[1].quotaWait?.values.count }.reduce(0, +)
        let phase = try #require(try Self.merged(records).lanes.first { $0.name == lane }).phases[1]
        #expect(kept > 0 && phase.quotaWait?.values.count == kept)
        #expect(phase.retried?.map(\.count) == [kept])
    }

    @Test("How far clocks are from the gate's and the hosts' is told")
    func clocks() throws {
        var records = Self.four
        let distances: [(gate: Int64?, hosts: Int64?)] = [
            (2_000_000, nil), (-7_000_000, -1_500_000_000), (nil, 200_000_000), (0, nil),
        ]
        for (index, distance) in distances.enumerated() {
            records[index].shards?[0].aheadOfGate = distance.gate
            records[index].shards?[0].aheadOfHosts = distance.hosts
        }
        let merged = try Self.merged(records)
        #expect(merged.clockToGate == 7_000_000 && merged.clockToHosts == 1_500_000_000)
        let remark = "clocks agree with the gate's to within 7.0 ms and the hosts' to within 1.5 s"
        #expect(merged.shardRemark == "shards 1 to 4 of 4, which began within 0 ns of each other; \(remark)")
        let summary = JSONSummary.text(merged, folder: nil)
        #expect(summary.contains(#""clock_to_gate_us":7000.000,"clock_to_hosts_us":1500000.000"#))
        #expect(try Self.merged(Self.four).shardRemark?.contains("clocks") == false)
    }

    @Test("Connections and credentials say whose they are")
    func rows() throws {
        let merged = try Self.merged(Self.four.reversed())
        #expect(merged.connections.map(\.shard) == (1...4).flatMap { [$0, $0, $0] })
        #expect(merged.credentials.map(\.shard) == [1, 2, 3, 4])
        let csv = ResultText.collect { ResultFile.connections.write(merged, to: $0) }.split(separator: "\n")
        #expect(csv.dropFirst().map { $0.split(separator: ",").last } == merged.connections.map { "\($0.shard ?? 0)" })
    }

    @Test("A shard that began late stands where it was on the run's timeline")
    func aligned() throws {
        let late = SampleShard.record(2, of: 2, seed: 2, late: 2 * SampleRun.second + 1)
        let merged = try Self.merged([late])
        #expect(merged.lanes[0].timeline.first?.second == 2)
        #expect(merged.startedAt.nanoseconds == SampleRun.startedAt)
        #expect(merged.duration == late.duration + 2 * SampleRun.second)
        // Merging it again moves it no further.
        #expect(try Self.merged([merged]) == merged)
    }

    @Test("Thresholds are judged on the merged numbers")
    func thresholds() throws {
        let records = (1...2)
            .map { number in
                SampleShard.record(number, of: 2, seed: UInt64(number)) { profile in
                    profile.thresholds =
                        (try? Profile(
                            json: #"{thresholds: {"all.response": ["count >= 80"]}}"#,
                            file: "test"
                        ))?
                        .thresholds ?? []
                }
            }
        #expect(records.map(\.failedThresholds) == [1, 1])
        #expect(try Self.merged(records).thresholds.map(\.holds) == [true])
    }

    @Test("What makes a merged result INVALID is named")
    func verdicts() throws {
        let four = Self.four
        #expect(
            try Self.causes([four[0], four[3]]) == [
                "shard_missing: shards 2 to 3 of 4 are missing: these are the results of the others only"
            ]
        )
        #expect(
            try Self.causes(four + [four[1]]) == [
                "shard_twice: shard 2 is there more than once, and counted as often"
            ]
        )
        let other = SampleShard.record(4, of: 4, seed: 4) { $0.seed = 43 }
        #expect(
            try Self.causes(four.dropLast() + [other]) == [
                "shard_differs: shard 4 ran another profile than shard 1",
                "shard_differs: shard 4 ran with another seed than shard 1",
            ]
        )
        var built = four[1]
        built.shards?[0].environment.revision = "fedcba9"
        #expect(
            try Self.causes([four[0], built, four[2], four[3]]) == [
                "shard_differs: shard 2 was built from another revision, or with another toolchain or other libraries, "
                    + "than shard 1"
            ]
        )
        var planned = four[1]
        planned.shards?[0].plannedByAll = 1
        #expect(
            try Self.causes([four[0], planned, four[2], four[3]]) == [
                "shard_differs: shard 2 had another plan than shard 1"
            ]
        )
        let fifth = SampleShard.record(5, of: 5, seed: 5)
        #expect(
            try Self.causes(four + [fifth]) == [
                "shard_differs: shard 5 belongs to another number of shards than shard 1"
            ]
        )
        let late = SampleShard.record(4, of: 4, seed: 4, late: 1_500_000_000)
        #expect(
            try Self.causes(four.dropLast() + [late]) == [
                "shard_late: shard 4 began up to 1.5 s after the run's start, above the bound of 1.0 s"
            ]
        )
        #expect(try Self.causes(four.dropLast() + [late], .init(latestStart: 2 * SampleRun.second)) == [])
        var invalid = four[2]
        invalid.shards?[0].verdict = Verdict(causes: [VerdictCause(.stall, "a loop stood still")])
        var ended = four[3]
        ended.shards?[0].interrupted = true
        #expect(
            try Self.causes([four[0], four[1], invalid, ended]) == [
                "shard_invalid: shard 3 was INVALID itself: a loop stood still",
                "shard_invalid: shard 4 was ended early, after 4 s",
            ]
        )
    }

    @Test("Shards that may be missing are named all the same, in every summary")
    func allowedMissing() throws {
        let merged = try Self.merged(Array(Self.four.prefix(3)), .init(allowedMissing: 1))
        #expect(merged.verdict.isValid)
        let sentence = "shard 4 of 4 is missing: these are the results of the others only"
        let terminal = TerminalSummary(merged, colours: false).text(folder: nil)
        #expect(terminal.contains("\nMISSING   \(sentence)\n"))
        for file in [ResultFile.page, .markdown] {
            #expect(ResultText.collect { file.write(merged, to: $0) }.contains("MISSING"))
        }
        #expect(JSONSummary.text(merged, folder: nil).contains(#""missing":[4]"#))
        // A shard's own record is of one on purpose.
        #expect(!TerminalSummary(Self.four[0], colours: false).text(folder: nil).contains("MISSING"))
    }

    @Test("A record of a whole run can't be merged")
    func wholeRun() {
        let error = RecordError(
            file: "x/run.json",
            field: "shards",
            problem: "is missing: only the records of shards can be merged"
        )
        var merge = RecordMerge()
        #expect(throws: error) { try merge.add(SampleRun.record(SampleRun.healthy), file: "x/run.json") }
    }
}
