/// Decides what the OAuth token endpoint answers to service accounts, and keeps the access tokens it gave out.
///
/// A request goes through in two steps, because checking a signature is not for this room: `assertion(in:)` finds the
/// signed assertion, and `answer(to:at:using:)` judges what is in it. The assertion's rules, in the order they are
/// checked: readable RS256; a known account; its key's signature; audience; times; whom it acts for; scope.
///
/// Source: Google, "Using OAuth 2.0 for Server to Server Applications".
package struct OAuthHost: Sendable {
    package struct Configuration: Sendable {
        /// The addresses of the service accounts that exist.
        package var accounts: [String]
        /// The endpoint's own URL, as the service-account file gives it.
        package var tokenURI: String
        /// How long an access token lasts, in nanoseconds.
        package var lifetime: Int64 = 3_599_000_000_000
        /// How far a sender's clock may be off, in nanoseconds; an assumption.
        package var clockAllowance: Int64 = 60_000_000_000
        /// An assertion may be made for at most this long: one hour, in nanoseconds.
        package var longestAssertion: Int64 = 3_600_000_000_000
        /// Whether refusals have the words of earlier years.
        package var usesOldTexts = false

        package init(accounts: [String], tokenURI: String) {
            self.accounts = accounts
            self.tokenURI = tokenURI
        }
    }

    /// What a request asks for.
    package enum Request: Sendable, Equatable {
        /// A token for this assertion.
        case exchange(assertion: String)
        /// Nothing that could be judged further.
        case refused(OAuthAnswer)
    }

    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let scopePrefix = "https://www.googleapis.com/auth/"
    /// The scopes that let a token send messages.
    private static let messagingScopes = ["firebase.messaging", "firebase", "cloud-platform"].map { scopePrefix + $0 }
    /// google-auth for Python names this audience whatever the account's file says.
    private static let publicTokenURI = "https://oauth2.googleapis.com/token"

    private let configuration: Configuration
    /// The tokens given out.
    package private(set) var tokens = AccessTokens()

    package init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Finds the assertion in a request: `POST /token` with a form.
    package func request(_ request: HostRequest) -> Request {
        let query = request.path.firstIndex(of: UInt8(ascii: "?")) ?? request.path.count
        guard request.method.equals("POST"), request.path.part(0, query).equals("/token") else {
            return .refused(OAuthAnswer(reason: .notFound, body: FrontEndPage.notFound(path: request.path)))
        }
        guard let grantType = FormBody.value(of: "grant_type", in: request.body) else {
            return .refused(refuse(.missingGrantType))
        }
        guard grantType == Self.grantType else { return .refused(refuse(.unsupportedGrantType)) }
        guard let assertion = FormBody.value(of: "assertion", in: request.body), !assertion.isEmpty else {
            return .refused(refuse(.missingAssertion))
        }
        return .exchange(assertion: assertion)
    }

    /// Ends all access tokens given out so far.
    package mutating func revokeTokens() { tokens.revokeAll() }

    /// Judges an assertion and gives out a token for a good one.
    ///
    /// - Parameters:
    ///   - facts: what is in the assertion; nil if it can't be read.
    ///   - now: nanoseconds since 1970.
    ///   - random: where the token's characters come from.
    /// - Returns: status and body, ready to send.
    package mutating func answer(
        to facts: AssertionFacts?,
        at now: Int64,
        using random: inout some RandomNumberGenerator
    ) -> OAuthAnswer {
        guard let facts, facts.algorithm == "RS256" else { return refuse(.unreadableAssertion) }
        if let reason = judge(facts, at: now) { return refuse(reason) }
        let scopes = facts.scope.split(separator: " ").map(String.init)
        let grant = AccessTokens.Grant(
            expiresAt: now + configuration.lifetime,
            allowsMessaging: scopes.contains(where: Self.messagingScopes.contains)
        )
        let token = String(decoding: tokens.issue(grant, using: &random), as: UTF8.self)
        return OAuthAnswer(reason: nil, body: success(token: token))
    }

    /// The body that gives out a token.
    package func success(token: some StringProtocol) -> [UInt8] {
        let seconds = max(1, configuration.lifetime / 1_000_000_000)
        return Array("{\"access_token\":\"\(token)\",\"expires_in\":\(seconds),\"token_type\":\"Bearer\"}".utf8)
    }

    private func judge(_ facts: AssertionFacts, at now: Int64) -> OAuthReason? {
        guard configuration.accounts.contains(facts.issuer) else { return .accountNotFound }
        guard facts.signature == .genuine else { return .wrongSignature }
        guard facts.audience == configuration.tokenURI || facts.audience == Self.publicTokenURI else {
            return .wrongAudience
        }
        guard let issuedAt = facts.issuedAt, let expiresAt = facts.expiresAt,
            issuedAt <= now + configuration.clockAllowance, expiresAt > now - configuration.clockAllowance,
            expiresAt >= issuedAt, expiresAt - issuedAt <= configuration.longestAssertion
        else { return .unreasonableTimeframe }
        // Nobody has given the account authority over others.
        if !facts.subject.isEmpty, facts.subject != facts.issuer { return .unauthorizedClient }
        let scopes = facts.scope.split(separator: " ")
        return !scopes.isEmpty && scopes.allSatisfy { $0.hasPrefix(Self.scopePrefix) } ? nil : .invalidScope
    }

    /// Refuses a request for that reason, whatever is in it.
    package func refuse(_ reason: OAuthReason) -> OAuthAnswer {
        if reason == .badGateway { return OAuthAnswer(reason: reason, body: FrontEndPage.badGateway) }
        let text = configuration.usesOldTexts ? reason.oldText : reason.text
        let body = "{\"error\":\"\(reason.label)\",\"error_description\":\"\(text)\"}"
        return OAuthAnswer(reason: reason, body: Array(body.utf8))
    }
}
