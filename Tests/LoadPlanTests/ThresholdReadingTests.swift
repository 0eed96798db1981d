import Testing

@testable import LoadPlan

@Suite("Thresholds of a profile")
struct ThresholdReadingTests {
    private func thresholds(_ text: String) throws -> [Threshold] {
        try Profile(json: "{thresholds: \(text)}", file: "p.json").thresholds
    }

    @Test("Aggregates, comparisons and values, in the units of their metric")
    func conditions() throws {
        let cases: [(ThresholdMetric, String, ThresholdAggregate, ThresholdComparison, UInt64, UInt64)] = [
            (.response, "p(99) < 250ms", .percentile("99", quantile: 0.99), .below, 250_000_000, 1),
            (.lag, "p(99.9)<=1.5ms", .percentile("99.9", quantile: 0.999), .atMost, 1_500_000, 1),
            (.service, " p(0)  >  1us ", .percentile("0", quantile: 0), .above, 1000, 1),
            (.batch, "p(100) != 1m30s", .percentile("100", quantile: 1), .unequal, 90_000_000_000, 1),
            (.streamWait, "mean == 0s", .mean, .equal, 0, 1),
            (.response, "count >= 1_000", .count, .atLeast, 1000, 1),
            (.outcomes, "share < 2%", .share, .below, 2, 100),
            (.outcomes, "share < 0.25%", .share, .below, 25, 10_000),
            (.outcomes, "count < 2k", .count, .below, 2000, 1),
            (.outcomes, "per_s < 600k/min", .perSecond, .below, 600_000, 60_000_000_000),
            (.rate, "min > 9.5k/s", .min, .above, 9500, 1_000_000_000),
            (.connections, "max <= 5", .max, .atMost, 5, 1),
            (.bytes, "mean < 250.5B", .mean, .below, 2505, 10),
            (.bytes, "count < 2MiB", .count, .below, 2 << 20, 1),
            (.cpu, "share < 150%", .share, .below, 150, 100),
            (.cpu, "mean < 12.5us", .mean, .below, 12_500, 1),
            (.allocations, "mean <= 0.05", .mean, .atMost, 5, 100),
        ]
        for (metric, text, aggregate, comparison, numerator, denominator) in cases {
            let condition = try #require(ThresholdCondition(text, on: metric), "\(text)")
            #expect(condition.aggregate == aggregate && condition.comparison == comparison, "\(text)")
            // Bounds are fractions: 2505/10 may be written as any equal one.
            let bound = condition.bound
            #expect(
                bound.numerator.multipliedFullWidth(by: denominator)
                    == numerator.multipliedFullWidth(by: bound.denominator),
                "\(text)"
            )
            #expect(ThresholdCondition(condition.text, on: metric) == condition)
        }
        #expect(ThresholdCondition("p(99)<250ms", on: .response)?.text == "p(99) < 250ms")
    }

    @Test("Subjects with their filters, and windows, in an order of their own")
    func subjects() throws {
        let read = try thresholds(
            """
            {
              "fcm.outcomes{reason=QUOTA_EXCEEDED}": ["share < 1%"],
              "all.bytes{direction=in}": ["mean < 90B"],
              "fcm.response": ["p(99) < 1s", {condition: "p(50) < 1s", over: "10s"}, {condition: "max < 9s"}],
              "all.response": ["max < 9s"],
            }
            """
        )
        #expect(
            read.map(\.subject.text) == [
                "all.response", "all.bytes{direction=in}", "fcm.response", "fcm.response", "fcm.response",
                "fcm.outcomes{reason=QUOTA_EXCEEDED}",
            ]
        )
        #expect(read.map(\.condition.text)[2...4] == ["p(99) < 1s", "p(50) < 1s", "max < 9s"])
        #expect(read.map(\.over) == [nil, nil, nil, 10 * Nanoseconds.second, nil, nil])
        #expect(read[5].subject.filter == ThresholdFilter(.reason, "QUOTA_EXCEEDED"))
    }

    @Test("Every metric knows an aggregate, and only its own")
    func units() {
        let all: [ThresholdAggregate] = [
            .percentile("99", quantile: 0.99), .mean, .max, .min, .count, .share, .perSecond,
        ]
        let known = ThresholdMetric.allCases.map { metric in
            all.compactMap { metric.unit(of: $0) == nil ? nil : $0.text }.joined(separator: " ")
        }
        let times = "p(99) mean max min count"
        #expect(
            known == [
                times, times, times, times, times, "count share per_s", "mean max min", "max min count", "mean count",
                "mean share", "mean",
            ]
        )
    }

    /// Sections that are refused, and what is said.
    static let wrong: [(text: String, message: String)] = [
        ("[]", "thresholds is []; allowed: an object such as {\"all.response\": [\"p(99) < 250ms\"]}"),
        (
            "{response: ['max < 1s']}",
            "thresholds[\"response\"] is not LANE.METRIC such as \"fcm.response\"; "
                + "allowed as LANE: all, apns-production, apns-sandbox, fcm"
        ),
        (
            "{'fcm.respnse': ['max < 1s']}",
            "thresholds[\"fcm.respnse\"] names the metric \"respnse\"; allowed: response, service, lag, stream_wait, batch, "
                + "outcomes, rate, connections, bytes, cpu, allocations (did you mean \"response\"?)"
        ),
        (
            "{'fcm.cpu': ['mean < 1s']}", "thresholds[\"fcm.cpu\"] asks for the cpu of fcm; allowed: all.cpu"
        ),
        (
            "{'apns-sandbox.batch': ['max < 1s']}",
            "thresholds[\"apns-sandbox.batch\"] asks for the batch of apns-sandbox; allowed: all.batch, fcm.batch"
        ),
        (
            "{'fcm.lag{reason=x}': ['max < 1s']}",
            "thresholds[\"fcm.lag{reason=x}\"] has \"{reason=x}\", but lag has no parts to choose from"
        ),
        (
            "{'all.bytes{direction=up}': ['mean < 1B']}",
            "thresholds[\"all.bytes{direction=up}\"] has \"{direction=up}\"; allowed after bytes: {direction=out|in}"
        ),
        (
            "{'all.outcomes{status=4}': ['count < 1']}",
            "thresholds[\"all.outcomes{status=4}\"] has \"{status=4}\"; allowed after outcomes: {reason=Unregistered}, "
                + "{status=410}, {disposition=delivered|removeDevice|invalidDevice|configurationFault|retryLater|rejected"
                + "|failed|skipped|unanswered}"
        ),
        ("{'all.lag': 'max < 1s'}", "thresholds[\"all.lag\"] is \"max < 1s\"; allowed: a list of 1 to 100 elements"),
        ("{'all.lag': []}", "thresholds[\"all.lag\"] is []; allowed: a list of 1 to 100 elements"),
        (
            "{'all.lag': ['p99 < 5ms']}",
            "thresholds[\"all.lag\"][0] is \"p99 < 5ms\"; allowed: p(N), mean, max or min with a time such as "
                + "\"p(99) < 250ms\", or count with a whole number; compared by <, <=, >, >=, == or !="
        ),
        (
            "{'all.lag': ['max < 1s', 'max < 5']}",
            "thresholds[\"all.lag\"][1] is \"max < 5\"; allowed: p(N), mean, max or min with a time such as "
                + "\"p(99) < 250ms\", or count with a whole number; compared by <, <=, >, >=, == or !="
        ),
        (
            "{'all.outcomes': ['share < 0.02']}",
            "thresholds[\"all.outcomes\"][0] is \"share < 0.02\"; allowed: \"count < 100\", \"share < 2%\" or "
                + "\"per_s < 50/s\"; compared by <, <=, >, >=, == or !="
        ),
        (
            "{'all.allocations': [7]}",
            "thresholds[\"all.allocations\"][0] is 7; allowed: mean (of a push) with a number such as \"mean <= 0.1\"; "
                + "compared by <, <=, >, >=, == or !="
        ),
        (
            "{'all.response': [{condition: 'max < 1s', ovr: '5s'}]}",
            "thresholds[\"all.response\"][0].ovr is not a known key; did you mean \"over\"?"
        ),
        (
            "{'all.response': [{condition: 'max < 1s', grace: '5s'}]}",
            "thresholds[\"all.response\"][0].grace has no meaning without \"abort\": true"
        ),
        (
            "{'all.cpu': [{condition: 'mean < 1s', abort: true}]}",
            "thresholds[\"all.cpu\"][0].abort is not a known key; known here: condition"
        ),
        ("{'all.response': [{over: '5s'}]}", "thresholds[\"all.response\"][0] has no \"condition\""),
        (
            "{'all.response': [{condition: 'count > 1', over: '5s'}]}",
            "thresholds[\"all.response\"][0].over has no meaning for a count"
        ),
        (
            "{'all.lag': [{condition: 'max < 1s', over: '5s'}]}",
            "thresholds[\"all.lag\"][0].over is not a known key; known here: condition, abort, grace"
        ),
    ]

    @Test("Field, value and what is allowed, in one line", arguments: wrong)
    func refused(text: String, message: String) {
        do {
            _ = try thresholds(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect("\(error)" == "p.json:1: \(message)")
        }
    }

    @Test("Windows are whole seconds", arguments: ["1500ms", "0s", "2h"])
    func windows(over: String) {
        #expect(throws: ProfileError.self) {
            try thresholds("{'all.rate': [{condition: 'mean > 1/s', over: '\(over)'}]}")
        }
    }

    @Test("What ends a run has a grace time, and comes back from its own text")
    func aborts() throws {
        let texts =
            [
                ("{condition: 'max < 1s', abort: true}", 5_000_000_000), ("{condition: 'max < 1s', abort: false}", nil),
                ("{condition: 'max < 1s', abort: true, grace: '0s', over: '2s'}", 0),
                ("{condition: 'max < 1s', abort: true, grace: '1m'}", 60_000_000_000), ("'max < 1s'", nil),
            ] as [(String, Int64?)]
        for (text, grace) in texts {
            let read = try thresholds("{'all.response': [\(text)]}")
            #expect(read.first?.abortAfter == grace, "\(text)")
            var profile = Profile()
            profile.thresholds = read
            #expect(try Profile(json: profile.canonicalJSON, file: "p.json").thresholds == read)
        }
    }

    @Test("The command line reaches a subject by its name in brackets")
    func overrides() throws {
        let profile = try Profile(
            json: "{thresholds: {'fcm.response': ['max < 1s'], 'all.lag': ['max < 1s']}}",
            file: "p.json",
            overrides: [
                #"thresholds["fcm.response"][0]=p(99) <= 5s"#, #"thresholds["all.lag"]=null"#,
                #"thresholds["all.outcomes{reason=x}"]=["count == 0"]"#,
            ]
        )
        #expect(
            profile.thresholds.map { "\($0.subject.text): \($0.condition.text)" } == [
                "all.outcomes{reason=x}: count == 0", "fcm.response: p(99) <= 5s",
            ]
        )
    }
}
