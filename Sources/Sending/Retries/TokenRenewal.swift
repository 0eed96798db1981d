/// Decides what becomes of a push whose token the host called expired.
///
/// The token is renewed once, however many pushes meet this at the same moment, and the push goes out again on the same
/// lane. A fresh token that is called expired too is no matter of time: the host's clock or ours is wrong, and no push of
/// the lane can succeed.
package enum TokenRenewal {
    package enum Fate: Sendable, Equatable {
        /// It goes out again, under the next token.
        case again
        /// The lane is halted.
        case fault
    }

    /// - Parameters:
    ///   - rejection: what the token's schedule said to the complaint.
    ///   - complaints: how many times this push has met it, now included.
    package static func fate(after rejection: TokenSchedule.Rejection, complaints: Int, at now: Int64) -> Fate {
        guard complaints <= 1 else { return .fault }
        switch rejection {
        case .alreadyRenewed: return .again
        // A token that may not be renewed yet is too young to have expired.
        case .renewing(let from): return from <= now ? .again : .fault
        }
    }
}
