/// Finds where a yes turns into a no (or the other way round) over whole numbers, asking as seldom as it can.
///
/// A pure state machine: ``next`` is the number to ask about, and ``answered(_:)`` takes what came of it. From a guess it
/// goes away by doubling steps until the answer changes, then halves the stretch between, until that is a share of itself.
package struct MonotoneSearch: Sendable, Equatable {
    /// Which of the numbers are answered yes.
    package enum Direction: Sendable {
        /// The small ones; the greatest of them is sought.
        case greatest
        /// The large ones; the least of them is sought.
        case least
    }

    private let direction: Direction
    private let range: ClosedRange<UInt64>
    private let tolerance: Double
    /// The best yes and the nearest no so far.
    private var yes: UInt64?
    private var no: UInt64?
    private var step: UInt64
    /// The number to ask about; nil when the search is over.
    package private(set) var next: UInt64?

    /// - Parameters:
    ///   - guess: where to begin.
    ///   - range: the numbers that are allowed.
    ///   - tolerance: the search ends when yes and no are apart by no more than this share of the no.
    package init(_ direction: Direction, from guess: UInt64, in range: ClosedRange<UInt64>, tolerance: Double) {
        self.direction = direction
        self.range = range
        self.tolerance = tolerance
        let start = min(max(guess, range.lowerBound), range.upperBound)
        step = max(1, start / 8)
        next = start
    }

    /// The number sought; nil where every answer was no.
    package var found: UInt64? { yes }

    /// What came of ``next``.
    package mutating func answered(_ isYes: Bool) {
        guard let asked = next else { return }
        if isYes { yes = asked } else { no = asked }
        next = following(asked)
    }

    private mutating func following(_ asked: UInt64) -> UInt64? {
        guard let yes, let no else { return away(from: asked) }
        let (low, high) = (min(yes, no), max(yes, no))
        guard high - low > 1, Double(high - low) > tolerance * Double(high) else { return nil }
        return low + (high - low) / 2
    }

    /// One step further, towards where the answer must change.
    private mutating func away(from asked: UInt64) -> UInt64? {
        let goesUp = (yes != nil) == (direction == .greatest)
        let edge = goesUp ? range.upperBound : range.lowerBound
        guard asked != edge else { return nil }
        let room = goesUp ? edge - asked : asked - edge
        defer { step = step.multipliedReportingOverflow(by: 2).overflow ? step : step * 2 }
        // Downwards, half at the most: small numbers are not to be jumped over.
        let most = goesUp ? room : min(room, max(1, asked / 2))
        return goesUp ? asked + min(step, most) : asked - min(step, most)
    }
}
