/// The rates of one phase for all lanes together, as straight lines over one denominator.
struct RateLines: Sendable {
    struct Line: Sendable {
        /// Nanoseconds from the phase's start.
        var start: Int64
        var length: Int64
        /// The rates at both ends, in pushes per `unit` nanoseconds.
        var from: UInt64
        var to: UInt64
    }

    /// Rates whose fractions have no common denominator that is small enough for exact arithmetic, or that are too high.
    struct TooFine: Error {}

    private(set) var lines: [Line] = []
    /// The common denominator of all rates.
    private(set) var unit: UInt64 = 1

    /// Denominators stay below 2^62, so that twice one and every area fit their types.
    static let largestUnit: UInt128 = 1 << 62

    private init() {}

    /// A constant rate.
    init(constant rate: Rate, duration: Int64) throws(TooFine) {
        try self.init([(0, duration, rate, rate)])
    }

    /// The lines of an open shape for all lanes; `nil` for the other shapes and for rates given lane by lane.
    static func total(of phase: Phase) throws(TooFine) -> RateLines? {
        switch phase.shape {
        case .constant(.total(let rate)):
            try RateLines(constant: rate, duration: phase.duration)
        case .ramp(let from, let to):
            try RateLines([(0, phase.duration, from, to)])
        case .steps(let from, let to, let count):
            try RateLines(steps: count, from: from, to: to, duration: phase.duration)
        case .spike(let base, let peak, let at, let length):
            try RateLines([
                (0, at, base, base), (at, length, peak, peak),
                (at + length, phase.duration - at - length, base, base),
            ])
        case .constant(.perLane), .pause, .closed, .replay:
            nil
        }
    }

    private init(_ parts: [(start: Int64, length: Int64, from: Rate, to: Rate)]) throws(TooFine) {
        var unit: UInt128 = 1
        for rate in parts.flatMap({ [$0.from, $0.to] }) {
            guard rate.isUsable else { throw TooFine() }
            unit *= UInt128(rate.nanoseconds / greatestCommonDivisor(UInt64(unit), rate.nanoseconds))
            guard unit < Self.largestUnit else { throw TooFine() }
        }
        self.unit = UInt64(unit)
        // A rate is at most one push in 100 nanoseconds, so its numerator is below its denominator.
        lines = parts.filter { $0.length > 0 }
            .map { [unit = self.unit] part in
                Line(
                    start: part.start,
                    length: part.length,
                    from: part.from.pushes * (unit / part.from.nanoseconds),
                    to: part.to.pushes * (unit / part.to.nanoseconds)
                )
            }
    }

    /// Levels of equal length, to the nanosecond, with rates at equal distances.
    private init(steps count: Int, from: Rate, to: Rate, duration: Int64) throws(TooFine) {
        let ends = try RateLines([(0, duration, from, to)])
        guard let line = ends.lines.first, count > 1 else { return }
        let last = UInt64(count - 1)
        guard UInt128(ends.unit) * UInt128(last) < Self.largestUnit else { throw TooFine() }
        unit = ends.unit * last
        for index in 0..<count {
            let start = Self.part(index, of: count, duration)
            let rate = line.from * (last - UInt64(index)) + line.to * UInt64(index)
            let length = Self.part(index + 1, of: count, duration) - start
            if length > 0 { lines.append(Line(start: start, length: length, from: rate, to: rate)) }
        }
    }

    private static func part(_ index: Int, of count: Int, _ duration: Int64) -> Int64 {
        Int64(Int128(duration) * Int128(index) / Int128(count))
    }
}
