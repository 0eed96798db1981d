import Credentials
import Fleet
import LoadPlan
import Push
import Sending
import Transport

/// Keys, certificates and accounts, each tried by signing.
extension Preflight {
    var credentialChecks: [PreflightCheck] {
        var checks: [PreflightCheck] = []
        let apns = lanes.filter { $0.lane.provider == .apns }
        if !apns.isEmpty { checks += apns.flatMap(keyChecks) + [topicCheck] + apns.compactMap(certificateCheck) }
        for lane in lanes where lane.lane.provider == .fcm { checks += accountChecks(lane) }
        return checks
    }

    /// The keys of a lane that signs, the one that it goes over to included.
    private func keyChecks(_ lane: Lane) -> [PreflightCheck] {
        let section = lane.section
        guard section.usesTokens else { return [] }
        let first = keyCheck("key \(lane.name)") { () throws(CredentialError) in
            try RunCredentials.providerTokens(section.credential, shard: .whole, hosts: hosts)
        }
        let next = keyCheck("next key \(lane.name)") { () throws(CredentialError) in
            try RunCredentials.nextKey(section.credential, hosts: hosts)
        }
        return [first, next].compactMap { $0 }
    }

    /// The key's type, the ids' form, and a token signed with it; nil where there is no such key.
    private func keyCheck(
        _ name: String,
        _ load: () throws(CredentialError) -> ProviderTokenSource?
    ) -> PreflightCheck? {
        do throws(CredentialError) {
            guard let source = try load() else { return nil }
            let (key, identity) = (source.key, source.identity)
            let start = MonotonicClock.now()
            let token = try ProviderToken.make(key: key, identity: identity, issuedAt: wallNow / Nanoseconds.second)
            let time = (MonotonicClock.now() - start) / Nanoseconds.microsecond
            return PreflightCheck(
                name,
                .ok,
                "\(identity.keyID) of team \(identity.teamID): ES256, a token of \(token.count) bytes signed in \(time) us"
            )
        } catch {
            return PreflightCheck(name, .failed, "\(error)")
        }
    }

    /// Whether the key may send to the fleet's apps, as far as the hosts' announcement says.
    private var topicCheck: PreflightCheck {
        let unknown = fleet.apps.filter { !hosts.apns.topics.contains($0) }
        guard !unknown.isEmpty, !hosts.apns.topics.isEmpty else {
            return PreflightCheck("apns topics", .ok, fleet.apps.joined(separator: ", "))
        }
        return PreflightCheck("apns topics", .warning, "the hosts announce no \(unknown.joined(separator: ", "))")
    }

    /// The certificate's dates and its topic; nil for a lane without one.
    private func certificateCheck(_ lane: Lane) -> PreflightCheck? {
        guard let section = lane.section.certificate else { return nil }
        let name = "certificate \(lane.name)"
        do throws(CredentialError) {
            let certificate = try SenderCertificate.load(
                section.file ?? hosts.apns.certificate,
                key: section.key,
                password: CertificatePassword.read(file: section.passwordFile, variable: section.passwordEnvironment)
            )
            return check(certificate, name: name)
        } catch {
            return PreflightCheck(name, .failed, "\(error)")
        }
    }

    private func check(_ certificate: SenderCertificate, name: String) -> PreflightCheck {
        switch certificate.validity(at: wallNow / Nanoseconds.second) {
        case .notYet: return PreflightCheck(name, .failed, "\(certificate.name): is not valid yet")
        case .expired: return PreflightCheck(name, .failed, "\(certificate.name): has expired")
        case .expiresSoon(let days):
            return PreflightCheck(name, .warning, "\(certificate.name): expires in \(days) days")
        case .good(let days):
            guard let topic = certificate.topic, !fleet.apps.contains(topic) else {
                return PreflightCheck(name, .ok, "\(certificate.name): valid for \(days) days")
            }
            return PreflightCheck(name, .warning, "\(certificate.name): its topic \(topic) is none of the fleet's apps")
        }
    }

    /// The account's fields, an assertion signed with its key, and the access token that it is exchanged for.
    private func accountChecks(_ lane: Lane) -> [PreflightCheck] {
        let credential = lane.section.credential
        // A tenant's checks are told from the others by its name.
        let suffix = lane.name == lane.lane.name ? "" : " \(lane.name)"
        if let file = credential?.bearerFile { return [bearerCheck(file, name: "access token" + suffix)] }
        let account: ServiceAccount
        let assertion: [UInt8]
        let start = MonotonicClock.now()
        do throws(CredentialError) {
            account = try ServiceAccount.load(credential?.serviceAccount ?? hosts.fcm.serviceAccount)
            assertion = try account.assertion(issuedAt: wallNow / Nanoseconds.second)
        } catch {
            return [PreflightCheck("service account" + suffix, .failed, "\(error)")]
        }
        let time = (MonotonicClock.now() - start) / Nanoseconds.microsecond
        let project = credential?.projectId ?? hosts.fcm.projectId
        let isOurs = account.projectID == project || project.isEmpty
        let fields = PreflightCheck(
            "service account" + suffix,
            isOurs ? .ok : .warning,
            "\(account.clientEmail) of project \(account.projectID): RS256, loaded and signed in \(time) us"
                + (isOurs ? "" : ", but the pushes go to project \(project)")
        )
        let exchange = exchangeCheck(account, assertion, through: lane.section.proxy, name: "access token" + suffix)
        return [fields, exchange]
    }

    private func bearerCheck(_ file: String, name: String) -> PreflightCheck {
        do throws(TokenFailure) {
            let token = try BearerFileSource(path: file).makeToken(clock: .system, cancellation: Cancellation())
            return PreflightCheck(name, .ok, "a \(token) in \(file)")
        } catch {
            return PreflightCheck(name, .failed, "\(error)")
        }
    }

    private func exchangeCheck(
        _ account: ServiceAccount,
        _ assertion: [UInt8],
        through proxy: String?,
        name: String
    ) -> PreflightCheck {
        do throws(OAuthError) {
            let token = try client(proxy: proxy).exchange(assertion: assertion, at: account.tokenURI)
            return PreflightCheck(name, .ok, "good for \(token.expiresIn) s")
        } catch {
            return PreflightCheck(name, .failed, "\(error)")
        }
    }

    func client(proxy: String?) -> OAuthClient { RunCredentials.client(of: hosts, proxy: proxy) }
}
