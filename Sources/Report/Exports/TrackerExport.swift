import Histogram

/// The numbers that a comparison looks at, for tools that keep a history of them.
enum TrackerExport {
    /// One number under its name.
    private struct Entry {
        let metric: ComparedMetric
        let value: FixedDecimal
        let interval: (low: FixedDecimal, high: FixedDecimal)?

        init?(_ metric: ComparedMetric, of record: RunRecord) {
            guard let number = metric.value(record).flatMap(metric.unit.decimal) else { return nil }
            self.metric = metric
            value = number
            interval = metric.interval(record, ComparedMetric.deviationsOf95Percent)
                .flatMap { interval in
                    guard let low = metric.unit.decimal(interval.lowerBound),
                        let high = metric.unit.decimal(interval.upperBound)
                    else { return nil }
                    return (low, high)
                }
        }
    }

    private static func entries(of record: RunRecord) -> [Entry] {
        ComparedMetric.all(lanes: record.lanes.map(\.name)).compactMap { Entry($0, of: record) }
    }

    // MARK: github-action-benchmark

    private struct Custom: Encodable {
        let name: String
        let unit: String
        let value: FixedDecimal
        let range: String?
        let extra: String
    }

    /// A list of `name`, `unit`, `value`, `range` and `extra`.
    ///
    /// Source: https://github.com/benchmark-action/github-action-benchmark, "Custom benchmarks".
    static func writeCustom(_ record: RunRecord, _ direction: ComparedMetric.Direction, to text: ResultText) {
        let entries = entries(of: record).filter { $0.metric.direction == direction }
        let list = entries.map { entry in
            Custom(
                name: "\(HumanUnits.line(record.name)) / \(entry.metric.lane) / \(entry.metric.name)",
                unit: entry.metric.unit.word,
                value: entry.value,
                range: entry.interval.map { "\($0.low) to \($0.high)" },
                extra: "seed \(record.seed), revision \(record.environment.revision), \(record.environment.toolchain)"
            )
        }
        OrderedJSON.write(list, to: text, brokenDepth: 1)
    }

    // MARK: Bencher

    private struct Measure: Encodable {
        let value: FixedDecimal
        let low: FixedDecimal?
        let high: FixedDecimal?

        private enum CodingKeys: String, CodingKey {
            case value
            case low = "lower_value"
            case high = "upper_value"
        }
    }

    /// An object in the order in which its members were given.
    private struct Members<Value: Encodable>: Encodable {
        let members: [(name: String, value: Value)]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyName.self)
            for (name, value) in members { try container.encode(value, forKey: AnyName(name)) }
        }
    }

    /// A benchmark for each lane, a measure for each of its numbers, named by a slug with its unit.
    ///
    /// Source: https://bencher.dev/docs/reference/bencher-metric-format.
    static func writeBencher(_ record: RunRecord, to text: ResultText) {
        var benchmarks: [(name: String, value: Members<Measure>)] = []
        var rest = entries(of: record)[...]
        while let lane = rest.first?.metric.lane {
            let same = rest.prefix { $0.metric.lane == lane }
            let measures = same.map { entry in
                (
                    name: slug(entry.metric),
                    value: Measure(value: entry.value, low: entry.interval?.low, high: entry.interval?.high)
                )
            }
            benchmarks.append(("\(HumanUnits.line(record.name)) \(lane)", Members(members: measures)))
            rest = rest.dropFirst(same.count)
        }
        OrderedJSON.write(Members(members: benchmarks), to: text, brokenDepth: 2)
    }

    /// `response-p99-9-us`: lower case, digits and single hyphens, as the service's own slugs are.
    private static func slug(_ metric: ComparedMetric) -> String {
        let words = "\(metric.name) \(metric.unit.word)".lowercased()
            .split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return words.joined(separator: "-")
    }
}

extension ComparedMetric.Unit {
    /// A value in the unit's word, to three decimals, shares to six.
    func decimal(_ value: Double) -> FixedDecimal? {
        FixedDecimal(self == .time ? value / 1_000 : value, digits: self == .share ? 6 : 3)
    }

    /// As files name it.
    var word: String {
        switch self {
        case .time: "us"
        case .rate: "per_s"
        case .share: "share"
        case .bytes: "bytes"
        case .number: "number"
        }
    }
}
