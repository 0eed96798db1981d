import Fleet
import Hosts
import LoadPlan
import Push
import Transport

/// What the hosts remember about one connection.
struct ConnectionMemory {
    var apns = APNsHost.Connection()
    var fcm = FCMHost.Connection()
    /// Where the connection's last provider token lies in the cache.
    var tokenPlace = 0
    /// What the host's faults remember.
    var faults = ConnectionFaults()
    /// What the audit remembers.
    var audit = AuditConnection()
}

/// The hosts that decide, each asked with what the transport knows: one for each name, and the checks that they share.
struct Deciders {
    private var production: APNsHost
    private var sandbox: APNsHost
    private(set) var fcm: FCMHost
    private var oauth: OAuthHost
    private var serviceTimes: PerHost<ServiceTime>
    private var providerTokens: ProviderTokenDesk
    private let assertions: AssertionDesk
    private let googleStreamLimit: UInt32
    private var random = SystemRandomNumberGenerator()
    /// What goes wrong.
    var faults: FaultDesk
    /// The provider token of the request that was answered last; nil if it had none that is genuine.
    private(set) var seenToken: AuditedToken?

    init(_ configuration: MockConfiguration, tokenURI: String, at now: Int64) {
        let credentials = configuration.credentials
        let scale = configuration.behaviour.tokenScale
        faults = FaultDesk(configuration.behaviour.faults, seed: configuration.seed)
        production = Self.apns(.production, configuration, at: now)
        sandbox = Self.apns(.sandbox, configuration, at: now)
        fcm = FCMHost(FCMHost.Configuration(projectID: credentials.projectID, seed: configuration.seed ^ 3))
        var tokens = OAuthHost.Configuration(accounts: credentials.accounts.map(\.email), tokenURI: tokenURI)
        tokens.lifetime /= scale
        if let life = configuration.behaviour.faults.last(where: { $0.knob == .accessTokenLife }) {
            tokens.lifetime = life.time() ?? tokens.lifetime
        }
        oauth = OAuthHost(tokens)
        serviceTimes = PerHost { host in
            let distribution =
                host == .oauth ? .constant(0) : configuration.behaviour.serviceTime(of: host.name)
            return ServiceTime(distribution, seed: configuration.seed ^ UInt64(host.rawValue) << 32)
        }
        providerTokens = ProviderTokenDesk(credentials.providers, rules: production.tokenRules)
        assertions = AssertionDesk(credentials.accounts)
        googleStreamLimit = UInt32(configuration.behaviour.streamLimit(of: HostName.fcm.name))
    }

    private static func apns(
        _ environment: Environment,
        _ configuration: MockConfiguration,
        at now: Int64
    ) -> APNsHost {
        var host = APNsHost.Configuration(
            environment: environment,
            keys: configuration.credentials.providers.map(\.key),
            bundleIDs: configuration.bundleIDs,
            startedAt: now,
            seed: configuration.seed ^ (environment == .production ? 1 : 2)
        )
        let name: HostName = environment == .production ? .apnsProduction : .apnsSandbox
        host.unauthenticatedStreamLimit = UInt32(configuration.behaviour.unauthenticatedStreamLimit)
        host.streamLimit = UInt32(configuration.behaviour.streamLimit(of: name.name))
        host.longestTokenAge /= configuration.behaviour.tokenScale
        return APNsHost(host)
    }

    /// The stream limits of a host's connections: at first, and at most.
    func streamLimits(of host: HostName) -> (initial: UInt32, most: UInt32) {
        switch host {
        case .apnsProduction: (production.initialStreamLimit, production.streamLimit)
        case .apnsSandbox: (sandbox.initialStreamLimit, sandbox.streamLimit)
        case .fcm, .oauth: (googleStreamLimit, googleStreamLimit)
        }
    }

    /// What the hosts say when they look at nothing.
    var cannedAnswers: PerHost<CannedAnswer> {
        PerHost { host in CannedAnswer(of: host, fcm: fcm.bodies, tokens: oauth) }
    }

    private mutating func standing(in request: HostRequest, _ memory: inout ConnectionMemory) -> ProviderTokenStanding {
        let standing = providerTokens.standing(in: request, place: &memory.tokenPlace)
        seenToken = nil
        if case .genuine(_, let issuedAt) = standing {
            seenToken = AuditedToken(identity: request.authorization.hash64, issuedAt: issuedAt)
        }
        return standing
    }

    /// Refuses a request as a fault of its host has it, whatever is in the request.
    mutating func refuse(_ host: HostName, _ request: HostRequest, _ reason: APNsReason) -> HostAnswer {
        host == .apnsProduction
            ? .apns(production.refuse(request, reason)) : .apns(sandbox.refuse(request, reason))
    }

    /// How long the next answer of a host takes, in nanoseconds.
    mutating func serviceTime(of host: HostName) -> Int64 { serviceTimes[host].next() }

    /// Asks a host.
    ///
    /// - Parameters:
    ///   - host: which one.
    ///   - request: what came.
    ///   - memory: what is remembered about its connection.
    ///   - now: nanoseconds since 1970.
    /// - Returns: the answer, not yet due.
    mutating func answer(
        _ host: HostName,
        _ request: HostRequest,
        over memory: inout ConnectionMemory,
        at now: Int64
    ) -> HostAnswer {
        switch host {
        case .apnsProduction:
            let token = standing(in: request, &memory)
            return .apns(production.answer(request, over: &memory.apns, token: token, at: now))
        case .apnsSandbox:
            let token = standing(in: request, &memory)
            return .apns(sandbox.answer(request, over: &memory.apns, token: token, at: now))
        case .fcm:
            return .fcm(fcm.answer(request, over: &memory.fcm, tokens: oauth.tokens, at: now))
        case .oauth:
            switch oauth.request(request) {
            case .refused(let answer): return .oauth(answer)
            case .exchange(let assertion):
                return .oauth(oauth.answer(to: assertions.facts(of: assertion), at: now, using: &random))
            }
        }
    }
}
