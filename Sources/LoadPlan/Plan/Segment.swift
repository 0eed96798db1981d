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
    var area: UInt128 { (UInt128(from) + UInt128(to)) * UInt128(length) }

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
        let bound = product(UInt64(length), area)
        var time = max(0, min(Int64(estimate(area)), length - 1))
        while time > 0, !isWithin(time, bound) { time -= 1 }
        while time < length - 1, isWithin(time + 1, bound) { time += 1 }
        return time
    }

    /// Whether 2 A L t + (B - A) t^2 is at most `bound`, which is an area times L.
    private func isWithin(_ time: Int64, _ bound: (high: UInt64, low: UInt128)) -> Bool {
        let t = UInt128(time)
        let full = 2 * UInt128(from) * UInt128(length)
        let slope = to >= from ? full + UInt128(to - from) * t : full - UInt128(from - to) * t
        return product(UInt64(time), slope) <= bound
    }

    /// The time in floating point, measured from the end with the lower rate.
    ///
    /// From there all terms are positive and nothing cancels: t = y / (a + sqrt(a^2 + (b - a) y / L)) with the lower rate a,
    /// the higher b and the area y between.
    private func estimate(_ area: UInt128) -> Double {
        let (low, high) = (Double(min(from, to)), Double(max(from, to)))
        let y = Double(to >= from ? area : self.area - min(area, self.area))
        let root = (low * low + (high - low) * y / Double(length)).squareRoot()
        let time = root + low > 0 ? y / (low + root) : 0
        return to >= from ? time : Double(length) - time
    }
}

/// The exact product of a 64-bit and a 128-bit number.
func product(_ first: UInt64, _ second: UInt128) -> (high: UInt64, low: UInt128) {
    let low = UInt128(first) * UInt128(UInt64(truncatingIfNeeded: second))
    let high = UInt128(first) * (second >> 64)
    let (sum, carry) = low.addingReportingOverflow(high << 64)
    return (UInt64(high >> 64) + (carry ? 1 : 0), sum)
}
