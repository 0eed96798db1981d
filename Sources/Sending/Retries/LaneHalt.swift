package import Push

/// Decides when a lane must stop: at its first configuration fault or, where the profile sets a bound, when too many of
/// the answers say that the token is bad.
///
/// A halted lane sends nothing more; its remaining pushes are skipped, and no device is touched.
package struct LaneHalt: Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        case configurationFault
        /// More than the set share of the answers called the device's token bad or gone.
        case badTokens
    }

    /// So many answers must be in before their shares mean anything.
    package static let fewestAnswers: UInt64 = 100

    /// Why the lane was halted; nil while it goes on.
    package private(set) var cause: Cause?
    private let mostBadTokens: Double?
    private var answers: UInt64 = 0
    private var badTokens: UInt64 = 0

    /// - Parameter mostBadTokens: the share of bad tokens above which the lane halts; nil for no bound.
    package init(mostBadTokens: Double? = nil) {
        self.mostBadTokens = mostBadTokens
    }

    package var isHalted: Bool { cause != nil }

    /// An answer came that counts; true where it halts the lane, which it does once.
    package mutating func answered(_ disposition: Disposition) -> Bool {
        answers += 1
        switch disposition {
        case .configurationFault: return halt(.configurationFault)
        case .removeDevice, .invalidDevice: badTokens += 1
        case .delivered, .retryLater, .rejected: break
        }
        guard let mostBadTokens, answers >= Self.fewestAnswers, Double(badTokens) > mostBadTokens * Double(answers)
        else { return false }
        return halt(.badTokens)
    }

    /// Another worker's part of the lane was halted.
    package mutating func halt(_ cause: Cause) -> Bool {
        guard self.cause == nil else { return false }
        self.cause = cause
        return true
    }
}
