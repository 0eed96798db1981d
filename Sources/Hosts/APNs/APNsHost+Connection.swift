import Fleet
import Push

extension APNsHost {
    /// What the host remembers about one connection: what it may send by, fixed at its first good push.
    package struct Connection: Sendable, Equatable {
        /// The certificate that the sender showed; nil for one that comes with tokens.
        let certificate: ClientCertificate?
        /// Whether a request with a valid token was posted or a certificate shown, so that the stream limit is the large
        /// one.
        package fileprivate(set) var isAuthenticated: Bool
        /// The key of the last token.
        fileprivate(set) var key = 0
        /// Apps added later are for later connections.
        fileprivate(set) var knownTopics = 0
        fileprivate var tokenIdentity: UInt64 = 0
        fileprivate var tokenIssuedAt: Int64 = 0
        /// When the last token came first.
        fileprivate var tokenChangedAt: Int64 = 0
        private var lastRequestAt = Int64.max
        /// Requests whose headers need not be looked at again.
        var known = KnownPushes()

        /// Whether of a push of that likeness nothing is looked at but method, path, `apns-id` and body.
        package func knows(_ likeness: UInt32) -> Bool { known.find(likeness) != nil }

        /// The standing of the token in a request that is like one before; nil for any other.
        package func token(of likeness: UInt32) -> ProviderTokenStanding? { known.find(likeness)?.token }

        package init(certificate: ClientCertificate? = nil) {
            self.certificate = certificate
            isAuthenticated = certificate != nil
        }

        mutating func wasIdle(longerThan longest: Int64, at now: Int64) -> Bool {
            defer { lastRequestAt = now }
            return lastRequestAt < now - longest
        }
    }

    /// Why the sender may not send over this connection; nil if it may.
    func credentialRefusal(
        _ token: ProviderTokenStanding,
        over connection: inout Connection,
        at now: Int64
    ) -> APNsReason? {
        // With a certificate, `authorization` is ignored.
        if let certificate = connection.certificate { return refusal(of: certificate) }
        switch token {
        case .absent: return .missingProviderToken
        case .invalid: return .invalidProviderToken
        case .genuine(let key, let issuedAt, let identity):
            if let reason = tokenRules.refusal(issuedAt: issuedAt, at: now) { return reason }
            if connection.isAuthenticated, connection.tokenIdentity == identity { return nil }
            return adopt(key: key, issuedAt: issuedAt, identity: identity, over: &connection, at: now)
        }
    }

    private func refusal(of certificate: ClientCertificate) -> APNsReason? {
        if certificate.topic.isEmpty || certificate.environments.isEmpty { return .badCertificate }
        return certificate.environments.contains(configuration.environment) ? nil : .badCertificateEnvironment
    }

    /// Takes a token that is new on the connection, if it may follow the one before.
    private func adopt(
        key: Int,
        issuedAt: Int64,
        identity: UInt64,
        over connection: inout Connection,
        at now: Int64
    ) -> APNsReason? {
        if let only = tokenRules.keys[key].environment, only != configuration.environment {
            let isLive = configuration.environmentKeySpelling == .live
            return isLive ? .badEnvironmentKeyInToken : .badEnvironmentKeyIDInToken
        }
        if connection.isAuthenticated {
            guard scopes.areRelated(key, connection.key) else { return .unrelatedKeyIDInToken }
            guard mayUpdate(connection, issuedAt: issuedAt, at: now) else { return .tooManyProviderTokenUpdates }
        } else {
            connection.isAuthenticated = true
            connection.knownTopics = topics.count
        }
        connection.key = key
        connection.tokenIdentity = identity
        connection.tokenIssuedAt = issuedAt
        connection.tokenChangedAt = now
        return nil
    }

    /// Whether a new token may come already.
    ///
    /// Apple: "Refresh your token no more than once every 20 minutes", detected on each connection. A token that was
    /// issued so much later than the one before is no such refresh, however short the connection has had that one: a
    /// sender opens connections between two refreshes.
    private func mayUpdate(_ connection: Connection, issuedAt: Int64, at now: Int64) -> Bool {
        now - connection.tokenChangedAt >= configuration.tokenUpdateInterval
            || issuedAt - connection.tokenIssuedAt >= configuration.tokenUpdateInterval
    }
}

/// What keys may send to, worked out once.
struct KeyScopes: Sendable {
    /// For each key, the first one that is related to it.
    private let groups: [Int]
    /// For each key, the only topics it is for, as UTF-8.
    private let topics: [[[UInt8]]?]

    init(_ keys: [ProviderKey]) {
        groups = keys.map { key in keys.firstIndex { $0.isRelated(to: key) } ?? 0 }
        topics = keys.map { key in key.topics?.map { Array($0.utf8) } }
    }

    func areRelated(_ one: Int, _ other: Int) -> Bool { groups[one] == groups[other] }

    /// Whether a key may send to an app of its team's.
    func covers(_ key: Int, _ bundleID: UnsafeRawBufferPointer) -> Bool {
        guard let only = topics[key] else { return true }
        return only.contains { $0.elementsEqual(bundleID) }
    }
}
