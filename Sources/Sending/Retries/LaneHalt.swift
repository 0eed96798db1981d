package import Push

/// Decides when a lane must stop: at its first configuration fault or, where the profile sets a bound, when too many of
/// the answers say that the token is bad.
///
/// A halted lane sends nothing more; its remaining pushes are skipped, and no device is touched.
package struct LaneHalt: Sendable, Equatable {
    /// So many answers must be in before their shares mean anything.
    package static let fewestAnswers: UInt64 = 100

    package private(set) var isHalted = false
    private let mostBadTokens: Double?
    private var answers: UInt64 = 0
    private var badTokens: UInt64 = 0

    /// - Parameter mostBadTokens: the share of bad tokens above which the lane halts; nil for no bound.
    package init(mostBadTokens: Double? = nil) {
        self.mostBadTokens = mostBadTokens
    }

    /// An answer came that counts; true where it halts the lane, which it does once.
    package mutating func answered(_ disposition: Disposition) -> Bool {
        answers += 1
        switch disposition {
        case .configurationFault: return halts()
        case .removeDevice, .invalidDevice: badTokens += 1
        case .delivered, .retryLater, .rejected: return false
        }
        guard let mostBadTokens, answers >= Self.fewestAnswers, Double(badTokens) > mostBadTokens * Double(answers)
        else { return false }
        return halts()
    }

    /// Another worker's part of the lane was halted.
    package mutating func halt() { isHalted = true }

    private mutating func halts() -> Bool {
        defer { isHalted = true }
        return !isHalted
    }
}
