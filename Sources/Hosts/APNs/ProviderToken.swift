package import Fleet
import Push

/// What a look at a provider token found, before anybody judged it: the part that needs a cryptographic library.
package struct ProviderTokenFacts: Sendable, Equatable {
    /// The outcome of checking the signature with the key that `kid` names.
    package enum Signature: Sendable, Equatable {
        case genuine
        case wrong
        /// No registered key has this id.
        case unknownKey
    }

    /// The `alg` header.
    package var algorithm: String
    /// The `kid` header.
    package var keyID: String
    /// The `iss` claim.
    package var teamID: String
    /// The `iat` claim in nanoseconds since 1970, from a number or a string of either form.
    package var issuedAt: Int64?
    package var signature: Signature
    /// A hash of the token's bytes, which tells it from another token by the same key.
    package var identity: UInt64

    package init(
        algorithm: String,
        keyID: String,
        teamID: String,
        issuedAt: Int64?,
        signature: Signature,
        identity: UInt64 = 0
    ) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
        self.signature = signature
        self.identity = identity
    }
}

/// How a host regards one provider token, whatever the time: worked out once per token and then remembered.
package enum ProviderTokenStanding: Sendable, Equatable {
    /// No token came with the request.
    case absent
    /// Malformed, signed by nobody we know, or contradicting the key it names.
    case invalid
    /// Signed by the key of that index, at that time in nanoseconds since 1970; `identity` tells it from other tokens.
    case genuine(key: Int, issuedAt: Int64, identity: UInt64 = 0)
}

/// A signing key as the host knows it from the developer account.
///
/// Source: Apple, "Establishing a token-based connection to APNs" and "Registering your app with APNs": a key is for
/// one environment or both, and for all of its team's topics or for some.
package struct ProviderKey: Sendable, Equatable {
    /// Ten characters.
    package var id: String
    /// The team that owns it, ten characters.
    package var team: String
    /// The only environment that it is for; nil for both.
    package var environment: Environment?
    /// The only bundle ids that it may send to; nil for all of the team's.
    package var topics: [String]?

    package init(id: String, team: String, environment: Environment? = nil, topics: [String]? = nil) {
        self.id = id
        self.team = team
        self.environment = environment
        self.topics = topics
    }

    /// Whether both may sign for one connection: the same team and the same scope.
    ///
    /// Apple: mixing team-scoped and topic-specific keys on a connection is an error.
    func isRelated(to other: ProviderKey) -> Bool {
        team == other.team && topics.map(Set.init) == other.topics.map(Set.init)
    }
}

/// The rules for provider tokens, whatever the connection.
///
/// Source: Apple, "Establishing a token-based connection to APNs". That an invalid token stays invalid however old
/// it is was seen live; the small allowance for a sender's clock running ahead is an assumption.
package struct ProviderTokenRules: Sendable {
    package var keys: [ProviderKey]
    /// A token older than this is expired: one hour, in nanoseconds.
    package var longestAge: Int64 = 3_600_000_000_000
    /// A token may be this much from the future before it counts as invalid.
    package var clockAllowance: Int64 = 60_000_000_000

    package init(keys: [ProviderKey]) {
        self.keys = keys
    }

    /// The standing of a token; `nil` facts are a token that could not be read at all.
    package func standing(of facts: ProviderTokenFacts?) -> ProviderTokenStanding {
        guard let facts, facts.algorithm == "ES256", facts.signature == .genuine,
            let key = keys.firstIndex(where: { $0.id == facts.keyID }), keys[key].team == facts.teamID,
            let issuedAt = facts.issuedAt
        else { return .invalid }
        return .genuine(key: key, issuedAt: issuedAt, identity: facts.identity)
    }

    /// Why a genuine token is refused at this time; nil if it is not.
    func refusal(issuedAt: Int64, at now: Int64) -> APNsReason? {
        if issuedAt > now + clockAllowance { return .invalidProviderToken }
        return issuedAt < now - longestAge ? .expiredProviderToken : nil
    }
}
