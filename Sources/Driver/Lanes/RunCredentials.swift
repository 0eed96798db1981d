import Credentials
import Fleet
import LoadPlan
import Push
import Sending
import Transport

/// What one lane signs with.
struct LaneKeys: Sendable {
    /// Nil where all connections use a certificate.
    var current: Credential?
    /// What it goes over to during the run.
    var next: Credential?
}

/// The credentials of a run's lanes, loaded and refreshed ahead.
///
/// Lanes that use one key share one credential: a host sees a key's tokens, not ours.
final class RunCredentials: Sendable {
    /// By lane index.
    let byLane: [LaneKeys]
    private let store = CredentialStore()
    /// Those whose tokens are the same in all shards: they get their first one when the shards have agreed on a start.
    private let shared = CredentialStore()

    private static let tokenLimit = 30 * Nanoseconds.second
    private static let askInterval = 50 * Nanoseconds.millisecond

    /// Loads what the lanes need and begins to get a first token for each.
    ///
    /// - Parameter clockScale: by how much the hosts' token clocks run fast.
    init(lanes: [LaneSetup], hosts: HostAnnouncement, clockScale: Int) throws(RunError) {
        let scale = 1 / Double(clockScale)
        var byLane: [LaneKeys] = []
        for lane in lanes {
            var keys = LaneKeys()
            if lane.section.usesTokens {
                let (source, policy) = try Self.source(for: lane, hosts: hosts)
                let store = source is SharedProviderTokenSource ? shared : store
                keys.current = store.credential(for: source, policy: policy.scaled(by: scale))
            }
            if let next = try Self.nextSource(for: lane, hosts: hosts) {
                let store = next is SharedProviderTokenSource ? shared : store
                keys.next = store.credential(for: next, policy: TokenPolicy.apns.scaled(by: scale))
            }
            byLane.append(keys)
        }
        self.byLane = byLane
        store.start()
    }

    /// How the hosts are asked for access tokens.
    ///
    /// - Parameter proxy: the lane's; without one real hosts are reached as the environment says.
    static func client(of hosts: HostAnnouncement, proxy: String?) -> OAuthClient {
        var client = OAuthClient(caFile: hosts.trustedFile)
        client.proxy = proxy
        guard proxy == nil else { return client }
        // The announced hosts are on this machine: a proxy of the environment would not find them.
        if !hosts.isReal { client.proxy = "" }
        return client
    }

    private static func source(
        for lane: LaneSetup,
        hosts: HostAnnouncement
    ) throws(RunError) -> (any TokenSource, TokenPolicy) {
        do throws(CredentialError) {
            switch lane.lane.provider {
            case .apns:
                return (shared(try providerTokens(lane.credential, shard: lane.shard, hosts: hosts), by: lane), .apns)
            case .fcm: return (try accessTokens(lane.credential, hosts: hosts, proxy: lane.section.proxy), .oauth)
            }
        } catch {
            throw .credential(lane: lane.name, reason: "\(error)")
        }
    }

    private static func nextSource(
        for lane: LaneSetup,
        hosts: HostAnnouncement
    ) throws(RunError) -> (any TokenSource)? {
        do throws(CredentialError) {
            return try nextKey(lane.credential, hosts: hosts).map { shared($0, by: lane) }
        } catch {
            throw .credential(lane: lane.name, reason: "\(error)")
        }
    }

    /// The source of a lane's tokens where all shards sign the same ones; the shard's own otherwise.
    private static func shared(_ own: ProviderTokenSource, by lane: LaneSetup) -> any TokenSource {
        let isShared = lane.shard.count > 1 && (lane.credential?.tokens ?? .shared) == .shared
        return isShared ? SharedProviderTokenSource(own) : own
    }

    /// The key that a lane goes over to; nil for one that keeps its own.
    static func nextKey(
        _ credential: CredentialSection?,
        hosts: HostAnnouncement
    ) throws(CredentialError) -> ProviderTokenSource? {
        guard let next = credential?.next else { return nil }
        return ProviderTokenSource(
            key: try SigningKey.loadP8(next.key ?? hosts.apns.nextKey ?? ""),
            identity: try ProviderIdentity(
                keyID: next.keyId ?? hosts.apns.nextKeyId ?? "",
                teamID: next.teamId ?? credential?.teamId ?? hosts.apns.teamId
            )
        )
    }

    static func providerTokens(
        _ credential: CredentialSection?,
        shard: Shard,
        hosts: HostAnnouncement
    ) throws(CredentialError) -> ProviderTokenSource {
        ProviderTokenSource(
            key: try SigningKey.loadP8(credential?.key(of: shard) ?? hosts.apns.key),
            identity: try ProviderIdentity(
                keyID: credential?.keyId(of: shard) ?? hosts.apns.keyId,
                teamID: credential?.teamId ?? hosts.apns.teamId
            )
        )
    }

    private static func accessTokens(
        _ credential: CredentialSection?,
        hosts: HostAnnouncement,
        proxy: String?
    ) throws(CredentialError) -> any TokenSource {
        if let file = credential?.bearerFile { return BearerFileSource(path: file) }
        let account = try ServiceAccount.load(credential?.serviceAccount ?? hosts.fcm.serviceAccount)
        return AccessTokenSource(account: account, client: client(of: hosts, proxy: proxy))
    }

    /// Waits until every lane has a token, but for those that wait for the shards' agreement.
    ///
    /// - Parameter isWanted: asked now and then; false ends the waiting.
    func waitForTokens(while isWanted: () -> Bool) throws(RunError) { try Self.wait(for: store, while: isWanted) }

    /// Begins to make the tokens that are the same in all shards, and waits until they are there.
    ///
    /// - Parameters:
    ///   - agreement: where nothing was agreed on, the tokens are the shard's own.
    ///   - isWanted: asked now and then; false ends the waiting.
    func share(by agreement: StartAgreement, while isWanted: () -> Bool) throws(RunError) {
        for credential in shared.credentials {
            guard let agreed = agreement.agreed, let source = credential.source as? SharedProviderTokenSource else {
                continue
            }
            let times = SharedTokenTimes(
                agreedStart: agreed,
                monotonic: agreement.planned,
                policy: credential.policy
            )
            source.share(times)
        }
        shared.start()
        try Self.wait(for: shared, while: isWanted)
    }

    private static func wait(for store: CredentialStore, while isWanted: () -> Bool) throws(RunError) {
        do throws(TokenFailure) {
            let deadline = MonotonicClock.now() + tokenLimit
            while isWanted() {
                let now = MonotonicClock.now()
                if try store.waitUntilReady(until: min(deadline, now + askInterval)) { return }
                if now >= deadline { break }
            }
        } catch {
            store.stop()
            throw .system("no token: \(error)")
        }
        guard isWanted() else { return }
        store.stop()
        throw .system("no token after \(tokenLimit / Nanoseconds.second) s: the token endpoint is silent")
    }

    /// Ends the refreshing; statistics stay readable.
    func close() {
        store.stop()
        shared.stop()
    }

    /// A row for each credential, naming the lanes that share it.
    ///
    /// - Parameters:
    ///   - attempts: by lane index, how many times pushes were written under each of the lane's keys.
    ///   - start: of the run, on the monotonic clock.
    func measurements(lanes: [LaneSetup], attempts: [[UInt64]], start: Int64) -> [CredentialMeasurement] {
        (shared.credentials + store.credentials)
            .map { credential in
                let statistics = credential.statistics
                var users: [String] = []
                var served: UInt64 = 0
                for (index, keys) in byLane.enumerated() {
                    let isUsed = [keys.current === credential, keys.next === credential]
                    if isUsed.contains(true) { users.append(lanes[index].name) }
                    served += zip(isUsed, attempts[index]).reduce(0) { $0 + ($1.0 ? $1.1 : 0) }
                }
                var row = CredentialMeasurement(lane: users.joined(separator: "+"), credential: credential.source.name)
                row.signed = statistics.signed
                row.refreshed = statistics.refreshed
                row.servedFromCache = served
                row.signP50 = statistics.medianSigningTime
                row.signMax = statistics.longestSigningTime
                row.oldestUsed = statistics.oldestUsed
                row.tokensAt = statistics.madeAt.map { $0 - start }
                return row
            }
    }
}
