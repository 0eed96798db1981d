/// Decides what becomes of a push whose stream has ended.
///
/// Only what the peer has certainly not processed is sent again: streams that it refused (REFUSED_STREAM) and those above
/// the last one of its GOAWAY, both by RFC 9113, section 8.7. Any other end may have delivered the push, and sending it
/// again could deliver it twice.
package enum RetryRule {
    /// How a stream ended.
    package enum Ending: Sendable, Equatable, CaseIterable {
        /// With a whole answer.
        case answered
        /// Not processed by the peer.
        case refused
        /// By a reset with another code, or with an answer that is not whole.
        case reset
        /// With its connection.
        case connectionLost
        /// With its connection, because the peer broke the protocol.
        case protocolError
    }

    /// What becomes of the push.
    package enum Fate: Sendable, Equatable {
        /// Its answer counts.
        case answered
        /// It goes back to the front of its lane's backlog.
        case back
        /// It is over.
        case failed(LocalFailure)
    }

    /// A push is sent again so often at most.
    package static let mostRetries = 1

    /// - Parameters:
    ///   - attempts: how many times the push's HEADERS were written, on this stream too.
    ///   - wasWritten: whether they were on this stream; if not, nobody has seen it, and it may be sent anywhere.
    package static func fate(of ending: Ending, attempts: Int, wasWritten: Bool) -> Fate {
        if ending == .answered { return .answered }
        guard wasWritten else { return .back }
        switch ending {
        case .answered: return .answered
        case .refused: return attempts <= mostRetries ? .back : .failed(.streamRefused)
        case .reset: return .failed(.streamReset)
        case .connectionLost: return .failed(.connectionLost)
        case .protocolError: return .failed(.protocolError)
        }
    }
}
