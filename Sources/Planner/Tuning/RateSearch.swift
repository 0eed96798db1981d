/// Finds the highest rate that holds: doubles until one fails, then halves the stretch between, every verdict confirmed.
///
/// A pure state machine: ``next`` is the rate to try, ``answered(_:)`` takes what came of it. A rate holds when it held twice
/// of three times at the most; an INVALID trial is tried again, and a rate of which none can be believed counts as failed.
package struct RateSearch: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        case holds
        case fails
        case invalid
    }

    package static let mostInvalid = 3

    private var search: MonotoneSearch
    private var yes = 0
    private var no = 0
    private var invalid = 0
    package private(set) var trials = 0
    package private(set) var dropped = 0
    /// Whether a rate was given up because no trial of it could be believed: the generator binds, not the host.
    package private(set) var isGeneratorBound = false

    /// - Parameters:
    ///   - start: the rate to begin with, in pushes a second.
    ///   - tolerance: how close the answer is to the least rate that fails, as a share.
    package init(from start: UInt64, most: UInt64, tolerance: Double) {
        search = MonotoneSearch(.greatest, from: start, in: 1...most, tolerance: tolerance)
    }

    /// The rate to try; nil when the search is over.
    package var next: UInt64? { search.next }

    /// The highest rate that held; nil where none did.
    package var found: UInt64? { search.found }

    package mutating func answered(_ verdict: Verdict) {
        trials += 1
        switch verdict {
        case .holds: yes += 1
        case .fails: no += 1
        case .invalid:
            (invalid, dropped) = (invalid + 1, dropped + 1)
            if invalid >= Self.mostInvalid, yes == 0 {
                isGeneratorBound = true
                return decide(false)
            }
        }
        if yes == 2 { decide(true) } else if no == 2 { decide(false) }
    }

    private mutating func decide(_ holds: Bool) {
        (yes, no, invalid) = (0, 0, 0)
        search.answered(holds)
    }
}
