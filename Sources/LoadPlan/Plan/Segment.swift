/// A stretch of a phase in which a lane's rate is constant or runs along a straight line.
///
/// All rates of a phase are fractions over one denominator Q. With a rate of A/Q pushes a nanosecond at the start, B/Q at
/// the end and L nanoseconds between, the pushes due in the first t nanoseconds are the area under the line,
///
///     (2 A L t + (B - A) t^2) / (2 Q L),    in all (A + B) L / (2 Q).
///
/// Areas are kept as whole numbers over 2Q, so nothing is ever rounded but the final time, down to a nanosecond.
struct Segment: Sendable {
    /// Nanoseconds from the phase's start.
    let start: Int64
    /// Nanoseconds, more than 0.
    let length: Int64
    /// A and B; not both 0.
    let from: UInt64
    let to: UInt64
    /// 2Q: the area of one push.
    let push: UInt128
    /// The first push of the segment, counted within the phase.
    let first: UInt64
    /// How many pushes fall due in the segment.
    let count: UInt64
    /// The area before the first push, less than 2Q: the part of that push that did not belong to the segment before.
    let offset: UInt128
    /// The areas of the segments before.
    let areaBefore: UInt128
    /// The whole area, over 2Q.
    let area: UInt128
    /// Whether the whole area times L fits into 128 bits, as it nearly always does; otherwise products take 192.
    private let isNarrow: Bool
    /// How much the rate changes in a nanosecond, up or down.
    private let slope: Double

    /// The part of a line that belongs to a lane with offset `offset`; its first push is number `first` of the phase.
    init(_ line: RateLines.Line, weight: UInt64, push: UInt128, first: UInt64, offset: UInt128, areaBefore: UInt128) {
        (start, length) = (line.start, line.length)
        (from, to) = (line.from * weight, line.to * weight)
        (self.push, self.first, self.offset, self.areaBefore) = (push, first, offset, areaBefore)
        area = (UInt128(from) + UInt128(to)) * UInt128(length)
        isNarrow = area.leadingZeroBitCount + UInt128(length).leadingZeroBitCount >= 128
        slope = Double(max(from, to) - min(from, to)) / Double(length)
        // The pushes at offset, offset + push, offset + 2 push, ... below the area.
        count = area > offset ? UInt64((area - offset + push - 1) / push) : 0
    }

    /// What the first push of the next segment, or of the next lane, carries over from this one.
    var carried: UInt128 { offset + UInt128(count) * push - area }

    /// When push `first + k` is due, from the phase's start.
    func due(of k: UInt64) -> Int64 { start + time(atArea: UInt128(k) * push + offset) }

    /// The last nanosecond of the segment before which no more than the given area lies.
    func time(atArea area: UInt128) -> Int64 {
        from == to ? constantTime(area) : min(linearTime(area), length - 1)
    }

    private func constantTime(_ area: UInt128) -> Int64 {
        let rate = 2 * UInt128(from)
        // Nearly always everything fits into 64 bits, and that division is several times as fast.
        if let area = UInt64(exactly: area), let rate = UInt64(exactly: rate) {
            return min(Int64(clamping: area / rate), length - 1)
        }
        return min(Int64(clamping: area / rate), length - 1)
    }

    /// Solves the quadratic in floating point, which is at most a nanosecond or two off, and then finds the exact time
    /// with whole numbers.
    private func linearTime(_ area: UInt128) -> Int64 {
        var time = max(0, min(Int64(estimate(area)), length - 1))
        if isNarrow {
            let bound = area &* UInt128(length)
            while time > 0, UInt128(time) &* meanRate(time) > bound { time -= 1 }
            while time < length - 1, UInt128(time + 1) &* meanRate(time + 1) <= bound { time += 1 }
        } else {
            let bound = product(UInt64(length), area)
            while time > 0, product(UInt64(time), meanRate(time)) > bound { time -= 1 }
            while time < length - 1, product(UInt64(time + 1), meanRate(time + 1)) <= bound { time += 1 }
        }
        return time
    }

    /// The area of the first t nanoseconds, over t and times L: 2 A L + (B - A) t.
    private func meanRate(_ time: Int64) -> UInt128 {
        let (t, full) = (UInt128(time), 2 &* UInt128(from) &* UInt128(length))
        return to >= from ? full &+ UInt128(to - from) &* t : full &- UInt128(from - to) &* t
    }

    /// The time in floating point, measured from the end with the lower rate.
    ///
    /// From there all terms are positive and nothing cancels: t = y / (a + sqrt(a^2 + (b - a) y / L)) with the lower rate a,
    /// the higher b and the area y between.
    private func estimate(_ area: UInt128) -> Double {
        let y = approximately(to >= from ? area : self.area - min(area, self.area))
        let low = Double(min(from, to))
        let root = (low * low + slope * y).squareRoot()
        let time = root + low > 0 ? y / (low + root) : 0
        return to >= from ? time : Double(length) - time
    }
}

/// The number in floating point, off by 2 units in the last place at most.
///
/// The standard library's conversion is rounded correctly and takes half a microsecond.
private func approximately(_ number: UInt128) -> Double {
    Double(UInt64(number >> 64)) * 0x1p64 + Double(UInt64(truncatingIfNeeded: number))
}

/// The exact product of a 64-bit and a 128-bit number.
func product(_ first: UInt64, _ second: UInt128) -> (high: UInt64, low: UInt128) {
    let low = UInt128(first) * UInt128(UInt64(truncatingIfNeeded: second))
    let high = UInt128(first) * (second >> 64)
    let (sum, carry) = low.addingReportingOverflow(high << 64)
    return (UInt64(high >> 64) + (carry ? 1 : 0), sum)
}
