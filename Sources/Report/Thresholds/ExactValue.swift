import Histogram
import LoadPlan

/// A measured value as an exact fraction, so that comparing it with a bound never rounds.
struct ExactValue {
    var numerator: Int128
    /// Above zero.
    var denominator: Int128

    init(_ numerator: some BinaryInteger, over denominator: some BinaryInteger = 1 as Int) {
        self.numerator = Int128(numerator)
        self.denominator = Int128(denominator)
    }

    init(_ bound: ThresholdBound) {
        self.init(bound.numerator, over: bound.denominator)
    }

    /// The value in the words of files: times in microseconds, rates by the second.
    func decimal(in unit: ThresholdUnit) -> FixedDecimal? {
        switch unit {
        case .time: FixedDecimal(numerator, over: denominator * 1_000, digits: unit.digits)
        case .rate: FixedDecimal(numerator * 1_000_000_000, over: denominator, digits: unit.digits)
        case .count, .share, .bytes, .number: FixedDecimal(numerator, over: denominator, digits: unit.digits)
        }
    }

    static func < (left: ExactValue, right: ExactValue) -> Bool {
        product(left.numerator, right.denominator) < product(right.numerator, left.denominator)
    }

    static func == (left: ExactValue, right: ExactValue) -> Bool {
        product(left.numerator, right.denominator) == product(right.numerator, left.denominator)
    }

    /// All 256 bits: a sum of a day's nanoseconds over many pushes leaves no room for another factor in 128.
    private static func product(_ left: Int128, _ right: Int128) -> (Int128, UInt128) {
        let product = left.multipliedFullWidth(by: right)
        return (product.high, product.low)
    }
}

extension ThresholdUnit {
    /// Decimals of a value in files.
    var digits: Int {
        switch self {
        case .time, .rate, .number: 3
        case .count: 0
        case .share: 6
        case .bytes: 1
        }
    }

    /// The unit's word in files.
    var name: String {
        switch self {
        case .time: "us"
        case .count: "count"
        case .share: "share"
        case .rate: "per_s"
        case .bytes: "bytes"
        case .number: "number"
        }
    }

    init?(name: String) {
        guard let unit = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = unit
    }
}

extension ThresholdComparison {
    /// Whether `value` compares so with `bound`.
    func holds(_ value: ExactValue, _ bound: ExactValue) -> Bool {
        switch self {
        case .below: value < bound
        case .atMost: !(bound < value)
        case .above: bound < value
        case .atLeast: !(value < bound)
        case .equal: value == bound
        case .unequal: !(value == bound)
        }
    }

    /// Whether `value` is nearer to breaking a bound than `other`; equality has no such order.
    func isWorse(_ value: ExactValue, than other: ExactValue) -> Bool {
        switch self {
        case .below, .atMost: other < value
        case .above, .atLeast: value < other
        case .equal, .unequal: false
        }
    }
}
