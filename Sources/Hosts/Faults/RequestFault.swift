/// What befalls one request.
package struct RequestFault: Sendable, BitwiseCopyable {
    /// What happens in place of an answer.
    package enum Loss: Sendable, Equatable, BitwiseCopyable {
        /// RST_STREAM with that code.
        case reset(code: UInt32)
        /// Nothing at all.
        case silence
    }

    /// In place of being looked at: neither accepted nor answered.
    package var lossBefore: Loss?
    /// The request lies above the last stream of the GOAWAY to come: as if it had never been sent.
    package var isDropped = false
    /// In place of being looked at: the answer of that number in ``HostFaults/refusals``.
    package var refusal: UInt8?
    /// In place of the answer, if the request was accepted.
    package var lossAfter: Loss?
    /// In place of the answer, if the request was accepted: as `refusal`.
    package var refusalAfter: UInt8?
    /// How long the answer takes, in nanoseconds; nil for as long as usual.
    package var serviceTime: Int64?

    package init() {}
}

/// How an answer is told apart by those who count errors.
package enum AnswerKind: Sendable, BitwiseCopyable {
    case accepted
    /// A device that is gone: no error of the sender's.
    case unregistered
    case badDeviceToken
    /// An expired provider token, or one too many.
    case staleToken
    case refused
}

/// A GOAWAY to be said.
package struct GoAwayOrder: Sendable, Equatable {
    /// How many of the streams taken last are dropped.
    package var dropped: Int32 = 0
    package var code: UInt32 = 0
    package var debug: [UInt8] = []
    package var isTwice = false
    /// Whether the socket stays open once all is answered.
    package var staysOpen = false

    package init(code: UInt32 = 0, debug: String = "") {
        self.code = code
        self.debug = Array(debug.utf8)
    }
}

/// What is to be done with a connection.
package enum ConnectionOrder: Sendable, Equatable {
    case goAway(GoAwayOrder)
    /// Cut at once, without a word.
    case cut
    /// Neither read nor write any more, and leave it open.
    case fallSilent
}

/// What becomes of a stream above the limit.
package enum ExcessRule: Sendable, BitwiseCopyable {
    case refuse
    case goAway
    case ignore
}

/// Whether and how Retry-After goes with a refusal.
package enum RetryAfterField: Sendable, Equatable, BitwiseCopyable {
    case absent
    case seconds(Int64)
    /// A date, so many seconds from now.
    case date(Int64)
}
