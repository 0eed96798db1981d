/// Why a session can't go on, or can't take a request.
///
/// A host's answer, a reset stream and a GOAWAY are events, never errors.
package enum HTTP2Error: Error, Hashable, CustomStringConvertible {
    /// The peer broke a rule of the protocol. The session has laid out a GOAWAY with this code: collect it, write
    /// it if the socket still takes it, and close.
    case violation(code: HTTP2ErrorCode, reason: String)
    /// nghttp2 refused a call or failed inside one; `code` is its return code, kept as it came.
    case library(call: String, code: Int32)
    /// The peer or the caller has said GOAWAY: this connection takes no more requests.
    case goingAway
    /// A value that may not stand in SETTINGS; the text names it and says what is allowed.
    case invalidSetting(String)
    /// All 2^30 stream identifiers of this connection are used up: open another connection.
    case streamIDsExhausted

    /// One line that says what happened.
    package var description: String {
        switch self {
        case .violation(let code, let reason):
            "HTTP/2 violation by the peer: \(code)" + (reason.isEmpty ? "" : " (\(reason))")
        case .library(let call, let code): "HTTP/2: \(call) failed with \(code) (\(Self.text(of: code)))"
        case .goingAway: "HTTP/2: the connection is going away and takes no more requests"
        case .invalidSetting(let what): "HTTP/2: \(what)"
        case .streamIDsExhausted: "HTTP/2: the connection has used up its stream identifiers"
        }
    }
}
