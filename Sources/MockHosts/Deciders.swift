import Credentials
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

    /// The client has shown that certificate in its handshake.
    mutating func take(_ certificate: PeerCertificate) {
        apns = APNsHost.Connection(certificate: ClientCertificate(certificate))
        faults.hasCertificate = true
    }
}

extension ClientCertificate {
    /// What Apple's certificates say in their subject and extensions.
    fileprivate init(_ certificate: PeerCertificate) {
        var environments: Set<Environment> = []
        if certificate.extensions.contains(MockCredentials.sandboxExtension) { environments.insert(.sandbox) }
        if certificate.extensions.contains(MockCredentials.productionExtension) { environments.insert(.production) }
        self.init(topic: certificate.userID ?? "", environments: environments)
    }
}

/// The hosts that decide, each asked with what the transport knows: one for each name, and the checks that they share.
struct Deciders {
    var production: APNsHost
    var sandbox: APNsHost
    var fcm: FCMHost
    var oauth: OAuthHost
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
        var messaging = FCMHost.Configuration(projectID: credentials.projectID, seed: configuration.seed ^ 3)
        for fault in configuration.behaviour.faults where fault.strikes(host: HostName.fcm.name) {
            messaging.apply(fault)
        }
        fcm = FCMHost(messaging)
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
        host.tokenUpdateInterval /= configuration.behaviour.tokenScale
        for fault in configuration.behaviour.faults where fault.strikes(host: name.name) { host.apply(fault) }
        return APNsHost(host)
    }

    /// The stream limits of a host's connection: at first, and at most.
    func streamLimits(
        of host: HostName,
        for memory: ConnectionMemory = ConnectionMemory()
    ) -> (initial: UInt32, most: UInt32) {
        switch host {
        case .apnsProduction: (production.initialStreamLimit(of: memory.apns), production.streamLimit)
        case .apnsSandbox: (sandbox.initialStreamLimit(of: memory.apns), sandbox.streamLimit)
        case .fcm, .oauth: (googleStreamLimit, googleStreamLimit)
        }
    }

    /// What the hosts say when they look at nothing.
    var cannedAnswers: PerHost<CannedAnswer> {
        PerHost { host in CannedAnswer(of: host, fcm: fcm.bodies, tokens: oauth) }
    }

    private mutating func standing(in request: HostRequest, _ memory: inout ConnectionMemory) -> ProviderTokenStanding {
        let standing =
            memory.apns.token(of: request.likeness)
            ?? providerTokens.standing(in: request, place: &memory.tokenPlace)
        seenToken = nil
        if case .genuine(_, let issuedAt, let identity) = standing {
            seenToken = AuditedToken(identity: identity, issuedAt: issuedAt)
        }
        return standing
    }

    /// Refuses a request as a fault of its host has it, whatever is in the request.
    mutating func refuse(_ host: HostName, _ request: HostRequest, _ refusal: HostRefusal) -> HostAnswer {
        switch refusal {
        case .apns(let reason):
            host == .apnsProduction
                ? .apns(production.refuse(request, reason)) : .apns(sandbox.refuse(request, reason))
        case .fcm(let reason): .fcm(fcm.refuse(reason))
        case .oauth(let reason): .oauth(oauth.refuse(reason))
        }
    }

    /// Lets the provider keys send to one more topic, over connections whose first push is still to come; false for what
    /// can be none, and for one too many.
    mutating func add(topic: String) -> Bool {
        production.add(bundleID: topic) && sandbox.add(bundleID: topic)
    }

    /// How often a provider token's signature was checked.
    var signatureChecks: UInt64 { providerTokens.checks }

    /// Ends all access tokens given out so far, as if their account had lost its access.
    mutating func revokeAccessTokens() { oauth.revokeTokens() }

    /// How long the next answer of a host takes, in nanoseconds.
    mutating func serviceTime(of host: HostName) -> Int64 { serviceTimes[host].next() }

    /// Asks a host.
    ///
    /// - Parameters:
    ///   - port: one of its ports.
    ///   - request: what came.
    ///   - memory: what is remembered about its connection.
    ///   - now: nanoseconds since 1970.
    /// - Returns: the answer, not yet due.
    mutating func answer(
        _ port: HostPort,
        _ request: HostRequest,
        over memory: inout ConnectionMemory,
        at now: Int64
    ) -> HostAnswer {
        switch port.host {
        case .apnsProduction:
            let token = standing(in: request, &memory)
            return Self.ask(&production, port, request, &memory.apns, token, at: now)
        case .apnsSandbox:
            let token = standing(in: request, &memory)
            return Self.ask(&sandbox, port, request, &memory.apns, token, at: now)
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

    private static func ask(
        _ host: inout APNsHost,
        _ port: HostPort,
        _ request: HostRequest,
        _ connection: inout APNsHost.Connection,
        _ token: ProviderTokenStanding,
        at now: Int64
    ) -> HostAnswer {
        let isManagement = port.managesChannels
        guard isManagement || APNsHost.isBroadcast(request) else {
            return .apns(host.answer(request, over: &connection, token: token, at: now))
        }
        return .channel(
            host.answerChannel(request, isManagement: isManagement, over: &connection, token: token, at: now)
        )
    }
}
