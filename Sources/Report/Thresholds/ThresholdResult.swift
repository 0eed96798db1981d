package import Histogram
import LoadPlan

/// How a threshold came out.
package struct ThresholdResult: Sendable, Equatable {
    /// Such as `apns-production.outcomes{reason=Unregistered}`.
    package var metric: String
    /// Such as `share < 2%`.
    package var condition: String
    /// The length of the windows in nanoseconds; nil for the whole load.
    package var over: Int64?
    /// How many samples the value comes from; a threshold without any fails.
    package var samples: UInt64
    /// In `unit`; with windows, that of the worst one; nil without samples.
    package var value: FixedDecimal?
    package var bound: FixedDecimal
    /// How far the value is on the right side of the bound, as a share of the bound; negative on the wrong side, nil where
    /// that has no meaning: for equality, or a bound of 0.
    package var margin: FixedDecimal?
    package var holds: Bool
    var unit: ThresholdUnit
}

extension ThresholdResult {
    init(_ threshold: Threshold, unit: ThresholdUnit, samples: UInt64, values: [ExactValue]) {
        let condition = threshold.condition
        let bound = ExactValue(condition.bound)
        let broken = values.first { !condition.comparison.holds($0, bound) }
        let worst = values.reduce(broken ?? values.first) { worst, value in
            guard let worst, condition.comparison.isWorse(value, than: worst) else { return worst }
            return value
        }
        metric = threshold.subject.text
        self.condition = condition.text
        over = threshold.over
        self.samples = values.isEmpty ? 0 : samples
        value = worst?.decimal(in: unit)
        // The unit's own digits always suffice for a quotient by a denominator above zero.
        self.bound = bound.decimal(in: unit) ?? FixedDecimal.seconds(0)
        margin = worst.flatMap { condition.comparison.margin(of: $0, to: bound) }
        holds = !values.isEmpty && broken == nil
        self.unit = unit
    }
}

extension ThresholdComparison {
    fileprivate func margin(of value: ExactValue, to bound: ExactValue) -> FixedDecimal? {
        switch self {
        case .below, .atMost: value.room(to: bound, sign: -1)
        case .above, .atLeast: value.room(to: bound, sign: 1)
        case .equal, .unequal: nil
        }
    }
}

extension ThresholdResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case metric, condition
        case over = "over_ns"
        case samples, value, bound, unit, margin, holds
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(metric, forKey: .metric)
        try container.encode(condition, forKey: .condition)
        try container.encodeIfPresent(over, forKey: .over)
        try container.encode(samples, forKey: .samples)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encode(bound, forKey: .bound)
        try container.encode(unit.name, forKey: .unit)
        try container.encodeIfPresent(margin, forKey: .margin)
        try container.encode(holds, forKey: .holds)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        metric = try container.decode(String.self, forKey: .metric)
        condition = try container.decode(String.self, forKey: .condition)
        over = try container.decodeIfPresent(Int64.self, forKey: .over)
        samples = try container.decode(UInt64.self, forKey: .samples)
        holds = try container.decode(Bool.self, forKey: .holds)
        guard let unit = ThresholdUnit(name: try container.decode(String.self, forKey: .unit)) else {
            let known = ThresholdUnit.allCases.map(\.name).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: .unit,
                in: container,
                debugDescription: "is not one of \(known)"
            )
        }
        self.unit = unit
        func number(_ key: CodingKeys, digits: Int) throws -> FixedDecimal? {
            guard let value = try container.decodeIfPresent(Double.self, forKey: key) else { return nil }
            guard let number = FixedDecimal(value, digits: digits) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "is too large")
            }
            return number
        }
        value = try number(.value, digits: unit.digits)
        margin = try number(.margin, digits: ExactValue.shareDigits)
        guard let bound = try number(.bound, digits: unit.digits) else {
            throw DecodingError.dataCorruptedError(forKey: .bound, in: container, debugDescription: "is null")
        }
        self.bound = bound
    }
}

extension KeyedDecodingContainer {
    /// Records of before there were thresholds have none.
    func decode(_ type: [ThresholdResult].Type, forKey key: Key) throws -> [ThresholdResult] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}

extension ExactValue {
    static let shareDigits = 6

    /// `sign * (value - bound) / bound`; nil for a bound of 0, or one with more decimals than there is room for.
    fileprivate func room(to bound: ExactValue, sign: Int128) -> FixedDecimal? {
        let (mine, mineOverflow) = numerator.multipliedReportingOverflow(by: bound.denominator)
        let (whole, wholeOverflow) = bound.numerator.multipliedReportingOverflow(by: denominator)
        let largest = Int128.max >> 24
        guard !mineOverflow, !wholeOverflow, mine < largest, whole < largest else { return nil }
        return FixedDecimal(sign * (mine - whole), over: whole, digits: Self.shareDigits)
    }
}
