/// How one lane sends: its pool, its time limits and, on FCM, its batches.
package struct LaneSection: Sendable, Equatable {
    /// Connections of the lane over all workers.
    package var connections = 1
    package var streams: StreamLimit = .peer
    package var http2: HTTP2Implementation = .direct
    package var timeouts = Timeouts()
    /// Batches as `sendEachForMulticast` makes them, only on `fcm`; `nil`: every push by itself.
    package var batch: BatchSection?
    /// Whether FCM shall only check the messages; only on `fcm`, and `nil` means against real hosts only.
    package var validateOnly: Bool?
    /// `nil`: the one that the mock hosts announce.
    package var credential: CredentialSection?
    /// The share of answers that may call the device's token bad before the lane halts; `nil`: any on mock hosts,
    /// ``Profile/mostBadTokensOnRealHosts`` on real ones.
    package var mostBadTokens: Double?
    /// Only on APNs lanes; `nil`: all connections use provider tokens.
    package var certificate: CertificateSection?
    package var retry = RetrySection()
    package var quota = QuotaSection()
    /// `https://name:port` to send to instead of the mock's or the provider's own host.
    package var host: String?
    /// `http://name:port` of a proxy that is asked for the way to the host (CONNECT).
    package var proxy: String?
    /// Apps with a lane of their own; empty in a tenant's section.
    package var tenants: [TenantSection] = []

    package init() {}

    /// Whether any connection proves itself with a token.
    package var usesTokens: Bool { certificate.map { $0.share < 1 } ?? true }

    /// The section of a lane that a profile says nothing about.
    package static func standard(for lane: String) -> LaneSection {
        var section = LaneSection()
        switch lane {
        case LaneName.apnsProduction: section.connections = 2
        case LaneName.fcm: section.connections = 4
        default: section.connections = 1
        }
        return section
    }

    package static let standardLanes = Dictionary(
        uniqueKeysWithValues: LaneName.all.map { ($0, standard(for: $0)) }
    )
}

/// Which HTTP/2 client session the lane's connections speak through.
package enum HTTP2Implementation: String, Sendable, Equatable, CaseIterable {
    /// Our own: header blocks laid out once, nothing allocated per push.
    case direct
    /// nghttp2's: the reference.
    case nghttp2
}

/// How many streams a connection may use at once.
package enum StreamLimit: Sendable, Equatable {
    /// As many as the peer's SETTINGS_MAX_CONCURRENT_STREAMS allows, as it changes.
    case peer
    /// At most so many, and never more than the peer allows.
    case fixed(Int)
}

/// Time limits in nanoseconds.
package struct Timeouts: Sendable, Equatable {
    /// From `connect` to an established TCP connection.
    package var connect: Int64 = 5 * Nanoseconds.second
    /// From there to a finished TLS handshake and the peer's SETTINGS.
    package var handshake: Int64 = 5 * Nanoseconds.second
    /// From a push's HEADERS to its answer.
    package var push: Int64 = 15 * Nanoseconds.second
    /// How long a peer may say nothing before it is asked by a PING.
    ///
    /// Unless it then says something within `connect`, the connection is closed. Apple's advice is an hour; FCM ends
    /// connections that ask too often.
    package var keepAlive: Int64 = Nanoseconds.hour
    /// How long a connection may be without a push before it is closed; `nil`: it is kept.
    ///
    /// Apple asks for connections to be kept for hours or days. Another is opened when pushes need it.
    package var idle: Int64?

    package init() {}
}

/// FCM pushes that are handed over together and answered in order.
package struct BatchSection: Sendable, Equatable {
    /// Pushes in a batch, 1 to 500: the limit of `sendEachForMulticast`.
    package var size = 500
    /// Batches that the lane has in flight at most; a batch that is due meanwhile waits.
    package var inFlight = 4

    package init() {}

    package init(size: Int, inFlight: Int) {
        self.size = size
        self.inFlight = inFlight
    }
}
