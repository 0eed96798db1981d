/// The faults that a mock host can be told to have, by the names that profiles and `--fault` use.
package enum FaultKnob: String, Sendable, CaseIterable {
    case firstStreams = "first-streams"
    case cutStreams = "cut-streams"
    case noStreamLimit = "no-stream-limit"
    case excessStreams = "excess-streams"
    case goAway = "goaway"
    case disconnect
    case reset
    case stall
    case acceptThenFail = "accept-then-fail"
    case answer
    case retryAfter = "retry-after"
    case serviceTime = "service-time"
    case wedge
    case errorRatio = "error-ratio"
    case pings
    case sessionTimeout = "session-timeout"
    case silence
    case freeze
    case slowTLS = "slow-tls"
    case roundTrip = "round-trip"
    case window
    case quota
    case deviceLimit = "device-limit"
    case topicLimit = "topic-limit"
    case errorDetails = "error-details"
    case noThirdPartyCredential = "no-third-party-credential"
    case idleTimeout = "idle-timeout"
    case expiredTokens = "expired-tokens"
    case keySpelling = "key-spelling"
    case certificate
    case revokeTokens = "revoke-tokens"
    case clockSkew = "clock-skew"
    case tokenClock = "token-clock"
    case accessTokenLife = "access-token-life"

    /// What the table says of it.
    package var form: FaultForm {
        guard let form = FaultForm.all.first(where: { $0.knob == self }) else {
            preconditionFailure("the fault \(rawValue) has no row in the table")
        }
        return form
    }
}

/// A row of the table of faults: how one is written, what it does, and who met it.
///
/// The table drives the decoder, `pushbench mock --help-faults` and the manual.
package struct FaultForm: Sendable {
    /// What a fault strikes, which says what its scope counts.
    package enum Target: String, Sendable {
        /// `share`, `after` and `every` count the requests of a host.
        case request
        /// `share` and `every` choose among the connections of a host, `after` counts the requests on each.
        case connection
        /// Only `lane`, `from` and `until` mean something.
        case host
        /// Always; only `lane` means something.
        case standing
        /// Always, and everywhere.
        case mock
    }

    /// One option of a fault's own, beside those of its scope.
    package struct Option: Sendable {
        package var name: String
        package var syntax: FaultSyntax
        package var meaning: String

        init(_ name: String, _ syntax: FaultSyntax, _ meaning: String) {
            self.name = name
            self.syntax = syntax
            self.meaning = meaning
        }
    }

    package var knob: FaultKnob
    /// How its value is written; nil for a fault that has none.
    package var value: FaultSyntax?
    /// The value where none is given, as it is written; nil where one must be given.
    package var standard: String?
    package var options: [Option] = []
    package var target: Target
    /// The hosts that can have it.
    package var hosts: [String] = HostLane.all
    /// One or two sentences.
    package var meaning: String
    /// The reports or documents that show it in the real world.
    package var source: String

    /// The name with its value: `reset[=CODE]`.
    package var usage: String {
        guard let value else { return knob.rawValue }
        let word = "=" + value.word
        return knob.rawValue + (standard == nil ? word : "[" + word + "]")
    }

    /// The options of its scope.
    package var scopeNames: [String] {
        switch target {
        case .request, .connection: ["share", "after", "every", "from", "until", "lane"]
        case .host: ["lane", "from", "until"]
        case .standing: ["lane"]
        case .mock: []
        }
    }
}

/// The hosts of a mock: the lanes, and the token endpoint, which belongs to none.
package enum HostLane {
    package static let oauth = "oauth"
    package static let all = LaneName.all + [oauth]
    static let apns = LaneName.all.filter(LaneName.isAPNs)
    static let pushes = LaneName.all
}
