import Histogram
import Sending

/// One number of a run that two builds or two days are compared by.
struct ComparedMetric {
    enum Direction {
        case lowerIsBetter
        case higherIsBetter
    }

    enum Unit {
        case time
        case rate
        case share
        case bytes
        case number
    }

    /// When two values count as different.
    enum Difference: Equatable {
        /// From a share of the first value on, given enough evidence; the factor is of the least effect asked for.
        case relative(Double)
        /// From so much on, in the value's own unit, given enough evidence.
        case absolute(Double)
        /// From so much on, in the value's own unit; the value hardly moves between runs of one build, so one run will do.
        case exact(Double)
    }

    /// A lane's name, or `all`.
    let lane: String
    let name: String
    let direction: Direction
    let unit: Unit
    var difference: Difference
    /// The number of one run; nil where it has none.
    let value: @Sendable (RunRecord) -> Double?
    /// What one run alone says of where the number lies, from its own samples and with so many standard deviations of error
    /// either way; nil where it says nothing.
    var interval: @Sendable (RunRecord, _ deviations: Double) -> ClosedRange<Double>? = { _, _ in nil }
}

extension ComparedMetric {
    /// Standard deviations either side of a normal distribution's middle within which 95% of it lies.
    static let deviationsOf95Percent = 1.96
    /// The same for 99.9%: of fifty numbers compared at once, one in twenty comparisons has one outside.
    static let deviationsOf999Permille = 3.29

    /// Names of numbers that baselines treat in their own way.
    static let systemCalls = "system calls per push"
    static let allocations = "allocations per push"

    /// Whether the number hardly moves between runs of one build.
    var isExact: Bool {
        if case .exact = difference { true } else { false }
    }
}

extension ComparedMetric {
    /// All that is compared, for the lanes that both sides have.
    static func all(lanes: [String]) -> [ComparedMetric] { lanes.flatMap(of) + ofTheDriver }

    private static func of(lane: String) -> [ComparedMetric] {
        times(of: lane) + [
            ComparedMetric(
                lane: lane,
                name: "answered/s",
                direction: .higherIsBetter,
                unit: .rate,
                difference: .relative(1),
                value: { $0.rate(lane: lane)?.value },
                interval: { $0.rate(lane: lane, $1)?.interval }
            ),
            ComparedMetric(
                lane: lane,
                name: "delivered",
                direction: .higherIsBetter,
                unit: .share,
                difference: .absolute(0.005),
                value: { $0.delivered(lane: lane)?.value },
                interval: { $0.delivered(lane: lane, $1)?.interval }
            ),
            bytes("bytes out per push", lane, \.bytesOut), bytes("bytes in per push", lane, \.bytesIn),
        ]
    }

    /// Response and service times; far up in the tail a larger difference is chance.
    private static func times(of lane: String) -> [ComparedMetric] {
        let quantiles: [(String, Double, Double)] = [("p50", 0.5, 1), ("p99", 0.99, 2), ("p99.9", 0.999, 4)]
        return [PushClock.response, .service]
            .flatMap { clock in
                quantiles.map { name, quantile, factor in
                    ComparedMetric(
                        lane: lane,
                        name: "\(clock.rawValue) \(name)",
                        direction: .lowerIsBetter,
                        unit: .time,
                        difference: .relative(factor),
                        value: { record in
                            record.times(clock, lane: lane, for: quantile)
                                .map { Double($0.value(atQuantile: quantile)) }
                        },
                        interval: { record, deviations in
                            record.times(clock, lane: lane, for: quantile)?
                                .interval(ofQuantile: quantile, deviations)
                        }
                    )
                }
            }
    }

    private static func bytes(
        _ name: String,
        _ lane: String,
        _ bytes: @escaping @Sendable (LaneRecord) -> UInt64
    ) -> ComparedMetric {
        ComparedMetric(
            lane: lane,
            name: name,
            direction: .lowerIsBetter,
            unit: .bytes,
            difference: .exact(3),
            value: { record in
                record.lanes.first { $0.name == lane }
                    .flatMap { lane in
                        let sent = lane.phases.reduce(0) { $0 + $1.streamWait.values.count }
                        return sent > 0 ? Double(bytes(lane)) / Double(sent) : nil
                    }
            }
        )
    }

    private static var ofTheDriver: [ComparedMetric] {
        func cost(
            _ name: String,
            _ unit: Unit,
            _ difference: Difference,
            _ value: @escaping @Sendable (RunRecord) -> Double?
        ) -> ComparedMetric {
            ComparedMetric(
                lane: RunTotals.all,
                name: name,
                direction: .lowerIsBetter,
                unit: unit,
                difference: difference,
                value: value
            )
        }
        return [
            cost("CPU per push", .time, .relative(1)) { $0.perPush(Double($0.generator.cpu)) },
            cost(systemCalls, .number, .relative(2)) {
                $0.perPush(Double($0.generator.reads + $0.generator.writes))
            },
            cost(allocations, .number, .exact(0.05)) { $0.allocationsPerPush },
            cost("signatures", .number, .exact(0.5)) { record in
                Double(record.credentials.reduce(0) { $0 + $1.signed })
            },
        ]
    }
}

// MARK: - Numbers of a run

extension RunRecord {
    /// One clock of a lane without warm-up; nil without the samples that a quantile needs: ten beyond it.
    fileprivate func times(_ clock: PushClock, lane: String, for quantile: Double) -> Histogram? {
        guard let lane = lanes.first(where: { $0.name == lane }) else { return nil }
        let times = measuredPhases.reduce(into: Histogram()) { $0.merge(lane.phases[$1][clock].values) }
        return Double(times.count) * (1 - quantile) >= 10 ? times : nil
    }

    private func counts(lane: String) -> (counts: PushCounts, seconds: Double)? {
        guard let lane = lanes.first(where: { $0.name == lane }) else { return nil }
        let counts = measuredPhases.reduce(into: PushCounts()) { $0 += lane.phases[$1].counts }
        let duration = measuredPhases.reduce(0) { $0 + phases[$1].duration }
        return counts.planned > 0 && duration > 0 ? (counts, Double(duration) / 1e9) : nil
    }

    /// With the interval that the share of answered pushes leaves: how many were planned is no matter of chance.
    fileprivate func rate(
        lane: String,
        _ deviations: Double = 0
    ) -> (value: Double, interval: ClosedRange<Double>)? {
        guard let (counts, seconds) = counts(lane: lane) else { return nil }
        let (planned, answered) = (Double(counts.planned), Double(counts.answered))
        let error = deviations * (answered * (1 - answered / planned)).squareRoot()
        return (answered / seconds, (answered - error) / seconds...(answered + error) / seconds)
    }

    /// With the interval of a share among so many.
    fileprivate func delivered(
        lane: String,
        _ deviations: Double = 0
    ) -> (value: Double, interval: ClosedRange<Double>)? {
        guard let (counts, _) = counts(lane: lane) else { return nil }
        let (planned, share) = (Double(counts.planned), Double(counts.delivered) / Double(counts.planned))
        let error = deviations * (share * (1 - share) / planned).squareRoot()
        return (share, share - error...share + error)
    }

    /// Over the whole run: what it cost is not told apart by phase.
    fileprivate func perPush(_ cost: Double) -> Double? {
        let sent = lanes.flatMap(\.phases).reduce(0) { $0 + $1.streamWait.values.count }
        return sent > 0 ? cost / Double(sent) : nil
    }

    fileprivate var allocationsPerPush: Double? {
        let ours =
            generator.allocations
            - min(generator.allocations, generator.allocationsInHTTP2 + generator.allocationsInTLS)
        return generator.allocationsPushes > 0 ? Double(ours) / Double(generator.allocationsPushes) : nil
    }
}

extension BucketCounts {
    /// The confidence interval of a quantile: the values at the ranks so many standard deviations either side of its own.
    ///
    /// Source: W. J. Conover, "Practical Nonparametric Statistics", section 3.2, with the normal approximation.
    fileprivate func interval(ofQuantile quantile: Double, _ deviations: Double) -> ClosedRange<Double> {
        let size = Double(count)
        let error = deviations * (size * quantile * (1 - quantile)).squareRoot() / size
        return Double(
            value(atQuantile: Swift.max(0, quantile - error))
        )...Double(value(atQuantile: Swift.min(1, quantile + error)))
    }
}
