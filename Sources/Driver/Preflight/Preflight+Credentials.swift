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
        if lanes.contains(where: { $0.provider == .apns }) {
            checks += lanes.filter { $0.provider == .apns }.map(keyCheck)
            checks.append(topicCheck)
            checks += lanes.compactMap(certificateCheck)
        }
        if lanes.contains(where: { $0.provider == .fcm }) { checks += accountChecks }
        return checks
    }

    /// The key's type, the ids' form, and a token signed with it.
    private func keyCheck(_ lane: FleetLane) -> PreflightCheck {
        let name = "key \(lane.name)"
        do throws(CredentialError) {
            let credential = profile.lane(lane.name).credential
            let source = try RunCredentials.providerTokens(credential, shard: .whole, hosts: hosts)
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
    private func certificateCheck(_ lane: FleetLane) -> PreflightCheck? {
        guard let section = profile.lane(lane.name).certificate else { return nil }
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
    private var accountChecks: [PreflightCheck] {
        let credential = profile.lane(FleetLane.fcm.name).credential
        if let file = credential?.bearerFile { return [bearerCheck(file)] }
        let account: ServiceAccount
        let assertion: [UInt8]
        let start = MonotonicClock.now()
        do throws(CredentialError) {
            account = try ServiceAccount.load(credential?.serviceAccount ?? hosts.fcm.serviceAccount)
            assertion = try account.assertion(issuedAt: wallNow / Nanoseconds.second)
        } catch {
            return [PreflightCheck("service account", .failed, "\(error)")]
        }
        let time = (MonotonicClock.now() - start) / Nanoseconds.microsecond
        let project = credential?.projectId ?? hosts.fcm.projectId
        let isOurs = account.projectID == project || project.isEmpty
        let fields = PreflightCheck(
            "service account",
            isOurs ? .ok : .warning,
            "\(account.clientEmail) of project \(account.projectID): RS256, loaded and signed in \(time) us"
                + (isOurs ? "" : ", but the pushes go to project \(project)")
        )
        return [fields, exchangeCheck(account, assertion)]
    }

    private func bearerCheck(_ file: String) -> PreflightCheck {
        do throws(TokenFailure) {
            let token = try BearerFileSource(path: file).makeToken(clock: .system, cancellation: Cancellation())
            return PreflightCheck("access token", .ok, "a \(token) in \(file)")
        } catch {
            return PreflightCheck("access token", .failed, "\(error)")
        }
    }

    private func exchangeCheck(_ account: ServiceAccount, _ assertion: [UInt8]) -> PreflightCheck {
        do throws(OAuthError) {
            let token = try client.exchange(assertion: assertion, at: account.tokenURI)
            return PreflightCheck("access token", .ok, "good for \(token.expiresIn) s")
        } catch {
            return PreflightCheck("access token", .failed, "\(error)")
        }
    }

    var client: OAuthClient { RunCredentials.client(of: hosts) }
}
