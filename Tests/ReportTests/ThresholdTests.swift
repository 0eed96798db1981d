import Histogram
import LoadPlan
import Push
import Sending
import Testing

@testable import Report

@Suite("Thresholds")
struct ThresholdTests {
    /// A record of the healthy run, judged by thresholds as a profile has them.
    private func judged(
        _ thresholds: String,
        _ change: (inout RunMeasurement) -> Void = { _ in }
    ) throws -> RunRecord {
        var run = SampleRun.healthy
        change(&run)
        var profile = SampleRun.profile
        profile.thresholds = try Profile(json: "{thresholds: \(thresholds)}", file: "p.json").thresholds
        return SampleRun.record(run, profile: profile)
    }

    private func result(
        _ subject: String,
        _ condition: String,
        over: String? = nil,
        _ change: (inout RunMeasurement) -> Void = { _ in }
    ) throws -> ThresholdResult {
        let element = over.map { "{condition: '\(condition)', over: '\($0)'}" } ?? "'\(condition)'"
        return try #require(judged("{'\(subject)': [\(element)]}", change).thresholds.first)
    }

    /// In the healthy run each lane sends 500 a second for 15 s after its warm-up; half a percent is gone, half malformed.
    @Test(
        "Every metric and aggregate has the value that the record has, without the warm-up",
        arguments: [
            ("all.response", "p(50) < 1s", 15_000, "20496.383", "20.50 ms"),
            ("fcm.response", "p(99.9) < 1s", 7_500, "31000.000", "31.00 ms"),
            ("fcm.response", "mean < 1s", 7_500, "20531.899", "20.53 ms"),
            ("fcm.response", "min < 1s", 7_500, "20480.000", "20.48 ms"),
            ("all.service", "max < 1s", 15_000, "30000.000", "30.00 ms"),
            ("apns-production.lag", "p(99) < 5ms", 7_500, "200.000", "200.0 µs"),
            ("apns-production.stream_wait", "count == 7500", 7_500, "7500", "7,500"),
            ("all.batch", "p(90) < 1s", 150, "40009.727", "40.01 ms"),
            ("all.outcomes", "count < 151", 15_000, "150", "150"),
            ("fcm.outcomes", "share < 2%", 7_500, "0.010000", "1.00%"),
            ("fcm.outcomes{reason=Unregistered}", "count < 100", 7_500, "37", "37"),
            ("all.outcomes{status=400}", "per_s < 100/s", 15_000, "5.067", "5/s"),
            ("all.outcomes{disposition=delivered}", "share >= 99%", 15_000, "0.990000", "99.00%"),
            ("all.outcomes{reason=NeverSeen}", "count == 0", 15_000, "0", "0"),
            ("all.rate", "mean >= 1000/s", 15_000, "1000.000", "1,000/s"),
            ("fcm.rate", "min >= 500/s", 15, "500.000", "500/s"),
            ("all.connections", "max <= 4", 15, "4", "4"), ("fcm.connections", "count <= 1", 1, "1", "1"),
            ("fcm.bytes", "mean < 261B", 9_000, "260.0", "260.0 B"),
            ("all.bytes{direction=out}", "count < 4MB", 18_000, "3600000.0", "3600000.0 B"),
            ("all.cpu", "mean < 241us", 18_000, "240.000", "240.0 µs"),
            ("all.cpu", "share < 25%", 1, "0.239468", "23.95%"),
            ("all.allocations", "mean < 0.1", 10_000, "0.050", "0.050"),
        ] as [(String, String, UInt64, String, String)]
    )
    func values(subject: String, condition: String, samples: UInt64, value: String, text: String) throws {
        let result = try result(subject, condition)
        #expect(result.value?.description == value && result.samples == samples)
        #expect(result.valueText == text && result.holds, "\(result)")
    }

    @Test(
        "Comparisons are exact at the bound",
        arguments: [
            ("<", false), ("<=", true), (">", false), (">=", true), ("==", true), ("!=", false),
        ]
    )
    func comparisons(comparison: String, holds: Bool) throws {
        #expect(try result("all.outcomes", "share \(comparison) 1%").holds == holds)
        #expect(try result("all.response", "max \(comparison) 31ms").holds == holds)
    }

    /// 20,531,898.7 ns to three digits of a microsecond is 20,531.899: a rounded value would compare as equal.
    @Test func aMeanIsComparedBeforeItIsRounded() throws {
        #expect(
            try result("fcm.response", "mean >= 20531899ns").value == result("fcm.response", "mean < 20531899ns").value
        )
        #expect(try !result("fcm.response", "mean >= 20531899ns").holds)
    }

    @Test("A threshold may end a run once its grace time of measured load is over, and only if it is broken")
    func aborts() throws {
        func cause(_ element: String, load seconds: Int64 = 15) throws -> String? {
            var run = SampleRun.healthy
            run.phases[1].end = 3_000_000_000 + seconds * 1_000_000_000
            run.phases[1].duration = seconds * 1_000_000_000
            let thresholds = try Profile(json: "{thresholds: {'fcm.response': [\(element)]}}", file: "p.json")
                .thresholds
            return SampleRun.record(run).abortCause(thresholds)
        }
        #expect(try cause("{condition: 'p(99) < 1ms', abort: true}") == "fcm.response: p(99) < 1ms")
        #expect(try cause("{condition: 'p(99) < 1ms', abort: true}", load: 4) == nil)
        #expect(try cause("{condition: 'p(99) < 1ms', abort: true, grace: '0s'}", load: 1) != nil)
        #expect(try cause("{condition: 'p(99) < 1s', abort: true}") == nil)
        #expect(try cause("{condition: 'p(99) < 1ms'}") == nil)
        // Nothing of the load has been measured, so nothing can be broken.
        #expect(try cause("{condition: 'p(99) < 1ms', abort: true, grace: '0s'}", load: 0) == nil)
        var early = SampleRun.record(SampleRun.healthy)
        early.interrupted = true
        early.abortedBy = "fcm.response: p(99) < 1ms"
        let text = TerminalSummary(early, colours: false).text(folder: nil)
        #expect(text.contains("by the threshold fcm.response: p(99) < 1ms: these are the results until then"))
        let read = try RunRecord(json: Array(RecordTests.json(early).utf8), file: "run.json")
        #expect(read == early)
    }

    @Test("A run that was ended early says by what", arguments: [true, false])
    func earlyEnds(isConfiguration: Bool) throws {
        var record = SampleRun.record(SampleRun.healthy)
        #expect(record.earlyEnd == nil)
        record.interrupted = true
        #expect(record.earlyEnd?.hasPrefix("interrupted after ") == true)
        record.generator.failure = "worker 0: epoll_wait: Invalid argument"
        #expect(record.earlyEnd?.contains("by a failure of worker 0: epoll_wait: Invalid argument: these are") == true)
        record.faultyLane = "fcm"
        if isConfiguration {
            let row = OutcomeRow(
                status: 401,
                reason: "THIRD_PARTY_AUTH_ERROR",
                disposition: "configurationFault",
                count: 1
            )
            let lane = try #require(record.lanes.firstIndex { $0.name == "fcm" })
            record.lanes[lane].phases[1].outcomes.append(row)
        }
        let words = isConfiguration ? "401 THIRD_PARTY_AUTH_ERROR" : "too many bad tokens"
        #expect(
            record.earlyEnd?.contains("by a fault of fcm (\(words)): these are") == true,
            "\(record.earlyEnd ?? "")"
        )
        #expect(JSONSummary.text(record, folder: nil).contains(#""faulty_lane":"fcm""#))
        #expect(try RunRecord(json: Array(RecordTests.json(record).utf8), file: "run.json") == record)
    }

    @Test("The margin is the room to the bound, as a share of it")
    func margins() throws {
        let cases: [(String, String, String?, String)] = [
            ("all.lag", "p(99) < 250us", "0.200000", "20.0% below"),
            ("all.lag", "p(99) < 100us", "-1.000000", "100.0% above"),
            ("all.rate", "mean >= 800/s", "0.250000", "25.0% above"),
            ("all.rate", "mean >= 1250/s", "-0.200000", "20.0% below"),
            ("all.rate", "mean >= 1000/s", "0.000000", "at the bound"),
            ("all.outcomes", "count <= 0", nil, ""), ("all.outcomes", "count == 150", nil, ""),
        ]
        for (subject, condition, margin, text) in cases {
            let result = try result(subject, condition)
            #expect(result.margin?.description == margin && result.marginText == text, "\(subject) \(condition)")
            #expect(result.holds == (margin.map { !$0.hasPrefix("-") } ?? (condition == "count == 150")))
        }
    }

    @Test(
        "Without samples a threshold fails, saying so",
        arguments: [
            ("apns-sandbox.response", "p(99) < 1s"), ("apns-sandbox.outcomes{reason=x}", "count == 0"),
            ("apns-sandbox.rate", "mean >= 0.001/s"), ("apns-sandbox.connections", "count < 9"),
            ("apns-sandbox.connections", "max < 9"), ("apns-sandbox.bytes", "mean < 1MB"),
            ("apns-sandbox.lag", "count != 1"),
        ]
    )
    func noSamples(subject: String, condition: String) throws {
        let result = try result(subject, condition)
        #expect(!result.holds && result.samples == 0 && result.value == nil && result.margin == nil)
        #expect(result.valueText == "no samples" && result.marginText == "")
    }

    @Test("Where nothing was sent, the process has no cost of a push")
    func nothingSent() {
        let thresholds = ["all.cpu": "mean < 1s", "all.allocations": "mean < 1", "all.response": "max < 1s"]
        for (subject, condition) in thresholds {
            var profile = SampleRun.profile
            let json = "{thresholds: {'\(subject)': ['\(condition)']}}"
            profile.thresholds = (try? Profile(json: json, file: "p.json").thresholds) ?? []
            let record = SampleRun.record(SampleRun.empty, profile: profile)
            #expect(record.thresholds.map(\.valueText) == ["no samples"] && record.failedThresholds == 1)
        }
    }

    @Test("A window that is worse than the whole fails alone")
    func windows() throws {
        // Second 9 is slow; it lies in the second of the three windows of five seconds that start at second 3.
        func slow(_ run: inout RunMeasurement) {
            var times = Histogram()
            times.record(200 * SampleRun.millisecond, times: 100)
            for lane in run.lanes.indices {
                run.lanes[lane].timeline[9].response = SparseHistogram(times)
                run.lanes[lane].timeline[9].delivered = 95
            }
        }
        let whole = try result("fcm.response", "p(99) < 100ms", slow)
        #expect(whole.holds && whole.value?.description == "20496.383")
        let window = try result("fcm.response", "p(99) < 100ms", over: "5s", slow)
        #expect(!window.holds && window.value?.description == "200000.000" && window.samples == 7_100)
        #expect(window.conditionText == "p(99) < 100ms over 5 s")
        let rate = try result("fcm.rate", "mean >= 450/s", over: "5s", slow)
        #expect(!rate.holds && rate.value?.description == "420.000" && rate.samples == 15)
        #expect(try result("all.rate", "min >= 150/s", over: "15s", slow).value?.description == "200.000")
        // Longer than the load: no window is whole.
        #expect(try result("fcm.rate", "mean >= 1/s", over: "16s", slow).valueText == "no samples")
    }

    @Test("Warm-up, and seconds that a phase doesn't fill, are in no window")
    func measuredSeconds() throws {
        func shorter(_ run: inout RunMeasurement) {
            run.phases[0].end += 500 * SampleRun.millisecond
            run.phases[1].start += 500 * SampleRun.millisecond
            run.phases[1].end -= 500 * SampleRun.millisecond
            run.lanes[0].timeline[2].delivered = 0
            run.lanes[0].timeline[3].delivered = 0
            run.lanes[0].timeline[17].delivered = 0
        }
        let result = try result("apns-production.rate", "min >= 500/s", shorter)
        #expect(result.holds && result.samples == 13)
    }

    @Test("Summary, JSON and record list all, also those of an INVALID run")
    func shown() throws {
        let record = try judged(
            "{'fcm.response': ['p(99) < 250ms', {condition: 'max < 20ms', over: '5s'}], 'all.outcomes{reason=x}': ['count < 1'], 'apns-sandbox.lag': ['max < 1s']}"
        ) { $0.generator.longestStall = SampleRun.second }
        #expect(!record.verdict.isValid && record.failedThresholds == 2)
        let terminal = TerminalSummary(record, colours: false).text(folder: nil)
        let lines = """
            holds   all.outcomes{reason=x}  count < 1                     0  100.0% below
            FAILED  apns-sandbox.lag        max < 1s             no samples
            holds   fcm.response            p(99) < 250ms          20.50 ms  91.8% below
            FAILED  fcm.response            max < 20ms over 5 s    27.00 ms  35.0% above

            """
        #expect(terminal.contains("\n\n" + lines + "\n"), "\(terminal)")
        let coloured = TerminalSummary(record, colours: true).text(folder: nil)
        #expect(coloured.contains("\n\u{1B}[1;31mFAILED\u{1B}[0m  apns-sandbox.lag        max < 1s"))
        let json =
            #""thresholds":[{"metric":"all.outcomes{reason=x}","condition":"count < 1","samples":15000,"value":0,"bound":1,"unit":"count","margin":1.000000,"holds":true},{"metric":"apns-sandbox.lag","condition":"max < 1s","samples":0,"bound":1000000.000,"unit":"us","holds":false},"#
        #expect(JSONSummary.text(record, folder: nil).contains(json))
        let text = ResultText.collect { record.write(to: $0) }
        #expect(text.contains("\"over_ns\": 5000000000,\n      \"samples\": 7500,\n      \"value\": 27000.000,\n"))
        let back = try RunRecord(json: Array(text.utf8), file: "run.json")
        #expect(back == record && ResultText.collect { back.write(to: $0) } == text)
    }

    @Test("A record of before there were thresholds has none")
    func older() throws {
        let text = ResultText.collect { SampleRun.record(SampleRun.short).write(to: $0) }
        let old = text.split(separator: "\n").filter { !$0.hasPrefix("  \"thresholds\"") }.joined(separator: "\n")
        #expect(old != text.dropLast())
        #expect(try RunRecord(json: Array(old.utf8), file: "run.json").thresholds.isEmpty)
    }

    @Test("A damaged threshold is reported with its place")
    func damaged() throws {
        let text = ResultText.collect { try? judged("{'all.lag': ['max < 1s']}").write(to: $0) }
        let bad = text.replacing(#""unit": "us""#, with: #""unit": "weeks""#)
        let error = #expect(throws: RecordError.self) { try RunRecord(json: Array(bad.utf8), file: "run.json") }
        #expect(
            error?.description
                == "run.json: thresholds[0].unit: is not one of us, count, share, per_s, bytes, number"
        )
    }

    @Test("The profile knows every disposition and our own ends")
    func dispositions() {
        let ours = ["failed", "skipped", "unanswered"]
        #expect(ThresholdFilter.dispositions == Disposition.allCases.map(\.rawValue) + ours)
    }
}
