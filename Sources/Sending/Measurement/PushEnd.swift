/// Why a push failed on this side of the wire: no answer came, and none will.
///
/// Raw values are stable words of bounded number, fit for labels.
package enum LocalFailure: String, Sendable, BitwiseCopyable, CaseIterable {
    /// The connection closed or broke while the push was in flight.
    case connectionLost = "connection lost"
    /// The peer refused the stream before processing it (REFUSED_STREAM, or above GOAWAY's last stream id).
    case streamRefused = "stream refused"
    /// The peer reset the stream with another code: it may have taken the push.
    case streamReset = "stream reset"
    /// No answer within the lane's push time-out.
    case timedOut = "timed out"
    /// The peer's bytes broke the protocol.
    case protocolError = "protocol error"
    /// No connection of the lane could be opened.
    case unreachable = "host unreachable"
}

/// Why a push was never sent.
package enum SkipCause: String, Sendable, CaseIterable {
    /// The lane's backlog was full.
    case backlogFull = "backlog full"
    /// The lane was halted by a configuration fault.
    case laneHalted = "lane halted"
    /// The user ended the run.
    case interrupted
    /// The drain time ran out, though a stream was free: our own batches in flight, or we ourselves, were too few.
    case loadEnded = "load ended"
    /// The lane's own keeping of a quota left no time for it.
    case quota
    /// The drain time ran out before a stream was free.
    case noStream = "no stream free"
    /// The drain time ran out before there was a token to send with.
    case noToken = "no token"
    /// The device's token has no APNs token's shape, and the profile refuses such.
    case misshapenToken = "token misshapen"
}

/// How a push ended: exactly one of these for every planned push.
package enum PushEnd: Sendable, Equatable {
    /// The host answered; the index is that of the lane's answer catalogue.
    case answered(Int)
    /// A local or connection cause.
    case failed(LocalFailure)
    /// Never sent.
    case skipped(SkipCause)
    /// Still in flight when the drain time ran out.
    case unanswered
}
