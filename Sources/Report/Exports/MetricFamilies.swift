import Histogram
import Sending

/// What a record says to monitoring systems: counters and histograms over the whole run, warm-up included and labelled by
/// phase, and gauges of its last second.
enum MetricFamilies {
    /// The most reasons of one lane and phase that get a label of their own; the rest are added up as `other`.
    ///
    /// A host may answer with anything, and each new text would be a new series in somebody's database.
    static let mostReasons = 40
    private static let longestReason = 60

    /// - Parameter isLive: whether the run still goes on; verdict, thresholds and what the generator used come at its end.
    static func of(_ record: RunRecord, isLive: Bool = false) -> [MetricFamily] {
        let common = counts(record) + [outcomes(record)] + times(record) + gauges(record)
        if isLive { return [info(record)] + common }
        return [info(record), validity(record)] + common + generator(record) + thresholds(record)
    }

    private static func number(_ value: some BinaryInteger) -> MetricFamily.Value {
        // One is above zero.
        .number(FixedDecimal(Int128(value), over: 1, digits: 0) ?? .seconds(0))
    }

    private static func info(_ record: RunRecord) -> MetricFamily {
        MetricFamily(
            name: "pushbench_run_info",
            help: "The run that all other metrics are about.",
            kind: .gauge,
            unit: "1",
            points: [
                .init(
                    labels: [
                        ("profile", HumanUnits.line(record.name)), ("revision", record.environment.revision),
                        ("toolchain", record.environment.toolchain), ("seed", "\(record.seed)"),
                    ],
                    value: number(1)
                )
            ]
        )
    }

    private static func validity(_ record: RunRecord) -> MetricFamily {
        MetricFamily(
            name: "pushbench_run_valid",
            help: "1 for a run that may be believed, 0 for an INVALID one.",
            kind: .gauge,
            unit: "1",
            points: [.init(labels: [], value: number(record.verdict.isValid ? 1 : 0))]
        )
    }

    /// A point for every lane and phase.
    private static func parts(
        _ record: RunRecord,
        _ value: (LanePhaseRecord) -> MetricFamily.Value
    ) -> [MetricFamily.Point] {
        record.lanes.flatMap { lane in
            zip(record.phases, lane.phases)
                .map { phase, part in
                    .init(
                        labels: [("lane", lane.name), ("phase", HumanUnits.line(phase.name))],
                        value: value(part)
                    )
                }
        }
    }

    private static func counts(_ record: RunRecord) -> [MetricFamily] {
        let counts: [(name: String, help: String, value: (LanePhaseRecord) -> UInt64)] = [
            ("planned", "Pushes whose due time came.", { $0.counts.planned }),
            ("sent", "Pushes that were written to a connection at least once.", { $0.streamWait.values.count }),
        ]
        return counts.map { name, help, value in
            MetricFamily(
                name: "pushbench_\(name)_pushes_total",
                help: help,
                kind: .counter,
                unit: "1",
                points: parts(record) { number(value($0)) }
            )
        } + [
            MetricFamily(
                name: "pushbench_attempts_total",
                help: "Requests that were written, first tries and retries together.",
                kind: .counter,
                unit: "1",
                points: parts(record) { number($0.counts.attempts) }
            )
        ]
    }

    private static func outcomes(_ record: RunRecord) -> MetricFamily {
        var points: [MetricFamily.Point] = []
        for lane in record.lanes {
            for (phase, part) in zip(record.phases, lane.phases) {
                for row in bounded(part.outcomes) {
                    let labels = [
                        ("lane", lane.name), ("phase", HumanUnits.line(phase.name)),
                        ("status", row.status.map { "\($0)" } ?? ""), ("reason", row.reason),
                        ("disposition", row.disposition),
                    ]
                    points.append(.init(labels: labels, value: number(row.count)))
                }
            }
        }
        return MetricFamily(
            name: "pushbench_outcomes_total",
            help: "Ends of pushes by what the host or the generator said.",
            kind: .counter,
            unit: "1",
            points: points
        )
    }

    /// The most frequent rows, with one for all others; the rows' order depends on their texts only.
    static func bounded(_ outcomes: [OutcomeRow]) -> [OutcomeRow] {
        var rows: [OutcomeRow] = []
        for var row in outcomes {
            row.reason = HumanUnits.line(row.reason, limit: longestReason)
            rows.merge([row])
        }
        rows.sort {
            ($1.count, $0.status ?? 0, $0.reason, $0.disposition) < (
                $0.count, $1.status ?? 0, $1.reason, $1.disposition
            )
        }
        let rest = rows.dropFirst(mostReasons).reduce(0) { $0 + $1.count }
        guard rest > 0 else { return rows }
        return rows.prefix(mostReasons)
            + [OutcomeRow(status: nil, reason: "other", disposition: "other", count: rest)]
    }

    private static func times(_ record: RunRecord) -> [MetricFamily] {
        let helps: [PushClock: String] = [
            .response: "From a push's due time to its answer.", .service: "From a push's HEADERS to its answer.",
            .lag: "How late the generator took a push up.", .streamWait: "The wait for a free stream.",
        ]
        return PushClock.allCases.map { clock in
            MetricFamily(
                name: "pushbench_\(clock.rawValue)_seconds",
                help: helps[clock] ?? "",
                kind: .histogram,
                unit: "s",
                points: parts(record) { .times(FixedBuckets($0[clock].values)) }
            )
        }
    }

    private static func gauges(_ record: RunRecord) -> [MetricFamily] {
        let gauges: [(name: String, help: String, value: (IntervalRecord) -> UInt64)] = [
            ("in_flight_pushes", "Pushes written and not yet answered, in the last second.", \.inFlight),
            ("backlog_pushes", "Pushes due and not yet written, in the last second.", \.backlog),
            ("open_connections", "Open connections, in the last second.", \.connections),
        ]
        return gauges.map { name, help, value in
            MetricFamily(
                name: "pushbench_\(name)",
                help: help,
                kind: .gauge,
                unit: "1",
                points: record.lanes.compactMap { lane in
                    lane.timeline.last.map { .init(labels: [("lane", lane.name)], value: number(value($0))) }
                }
            )
        }
    }

    private static func generator(_ record: RunRecord) -> [MetricFamily] {
        let bytes = record.lanes.flatMap { lane -> [MetricFamily.Point] in
            [("out", lane.bytesOut), ("in", lane.bytesIn)]
                .map { .init(labels: [("lane", lane.name), ("direction", $0)], value: number($1)) }
        }
        let used = record.generator
        return [
            MetricFamily(
                name: "pushbench_transferred_bytes_total",
                help: "Bytes on the lanes' connections, TLS included.",
                kind: .counter,
                unit: "By",
                points: bytes
            ),
            MetricFamily(
                name: "pushbench_cpu_seconds_total",
                help: "CPU time of the generator's process.",
                kind: .counter,
                unit: "s",
                points: [
                    .init(
                        labels: [],
                        value: .number(FixedDecimal(Int128(used.cpu), over: 1_000_000_000, digits: 9) ?? .seconds(0))
                    )
                ]
            ),
            MetricFamily(
                name: "pushbench_signatures_total",
                help: "Signatures made for provider tokens.",
                kind: .counter,
                unit: "1",
                points: record.credentials.map {
                    .init(labels: [("lane", $0.lane), ("credential", $0.credential)], value: number($0.signed))
                }
            ),
        ]
    }

    private static func thresholds(_ record: RunRecord) -> [MetricFamily] {
        guard !record.thresholds.isEmpty else { return [] }
        return [
            MetricFamily(
                name: "pushbench_threshold_holds",
                help: "1 for a threshold that holds, 0 for one that does not.",
                kind: .gauge,
                unit: "1",
                points: record.thresholds.map {
                    .init(
                        labels: [("metric", $0.metric), ("condition", $0.conditionText)],
                        value: number($0.holds ? 1 : 0)
                    )
                }
            )
        ]
    }
}
