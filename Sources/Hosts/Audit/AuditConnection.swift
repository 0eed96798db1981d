/// What the audit remembers about one connection.
package struct AuditConnection: Sendable, BitwiseCopyable {
    /// Its number among all connections, from 1.
    var number: UInt32 = 0
    /// Nanoseconds since the mock's start.
    var openedAt: Int64 = 0
    var requests: UInt64 = 0
    /// Provider tokens that came over it, one after another.
    var tokens: UInt64 = 0
    var token: UInt64 = 0
    /// When the token's use began, and when it was signed, in nanoseconds since 1970.
    var tokenSince: Int64 = 0
    var tokenIssuedAt: Int64 = 0
    /// Streams opened after a GOAWAY had been read.
    var lateStreams: UInt64 = 0
    /// PINGs since the last request.
    var pings: UInt64 = 0
    /// Tells the peer's address apart.
    var address: UInt64 = 0
    /// Whose it is, once it has shown a credential.
    var sender = SenderBook.none

    package init() {}
}

/// A request, as far as the audit wants to know it.
package struct AuditedPush: BitwiseCopyable {
    /// Tells `apns-id`s apart; 0 for a request without one.
    package var messageID: UInt64 = 0
    /// Tells devices with payloads apart.
    package var content: UInt64 = 0
    package var stream: Int32 = 0
    /// The device will show it.
    package var isAccepted = false
    /// It was accepted, but a fault keeps the sender from knowing.
    package var isHidden = false
    /// It was refused for a reason that lasts.
    package var isRefusedForGood = false
    /// It was refused because the project's quota is used up.
    package var isOverQuota = false
    /// Nanoseconds that Retry-After asks the sender to wait; nil without it.
    package var retryAfter: Int64?

    package init() {}
}

/// The provider token of a request that is genuine.
package struct AuditedToken: Equatable, BitwiseCopyable {
    /// Tells tokens apart.
    package var identity: UInt64
    /// Nanoseconds since 1970.
    package var issuedAt: Int64

    package init(identity: UInt64, issuedAt: Int64) {
        self.identity = identity
        self.issuedAt = issuedAt
    }
}
