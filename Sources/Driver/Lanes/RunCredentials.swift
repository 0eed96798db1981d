import Credentials
import Fleet
import LoadPlan
import Push
import Sending
import Transport

/// The credentials of a run's lanes, loaded and refreshed ahead.
///
/// Lanes that use one key share one credential: a host sees a key's tokens, not ours.
final class RunCredentials: Sendable {
    /// By lane index.
    let byLane: [Credential]
    private let store = CredentialStore()
    /// Those whose tokens are the same in all shards: they get their first one when the shards have agreed on a start.
    private let shared = CredentialStore()

    private static let tokenLimit = 30 * Nanoseconds.second
    private static let askInterval = 50 * Nanoseconds.millisecond

    /// Loads what the lanes need and begins to get a first token for each.
    ///
    /// - Parameter clockScale: by how much the hosts' token clocks run fast.
    init(lanes: [LaneSetup], hosts: HostAnnouncement, clockScale: Int) throws(RunError) {
        var byLane: [Credential] = []
        for lane in lanes {
            let (source, policy) = try Self.source(for: lane, hosts: hosts)
            let store = source is SharedProviderTokenSource ? shared : store
            byLane.append(store.credential(for: source, policy: policy.scaled(by: 1 / Double(clockScale))))
        }
        self.byLane = byLane
        store.start()
    }

    /// How the hosts are asked for access tokens.
    static func client(of hosts: HostAnnouncement) -> OAuthClient {
        var client = OAuthClient(caFile: hosts.trustedFile)
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
                let own = try providerTokens(lane.credential, shard: lane.shard, hosts: hosts)
                let isShared = lane.shard.count > 1 && (lane.credential?.tokens ?? .shared) == .shared
                return (isShared ? SharedProviderTokenSource(own) : own, .apns)
            case .fcm: return (try accessTokens(lane.credential, hosts: hosts), .oauth)
            }
        } catch {
            throw .credential(lane: lane.name, reason: "\(error)")
        }
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
        hosts: HostAnnouncement
    ) throws(CredentialError) -> any TokenSource {
        if let file = credential?.bearerFile { return BearerFileSource(path: file) }
        let account = try ServiceAccount.load(credential?.serviceAccount ?? hosts.fcm.serviceAccount)
        return AccessTokenSource(account: account, client: client(of: hosts))
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
    /// - Parameter start: of the run, on the monotonic clock.
    func measurements(lanes: [LaneSetup], sent: [UInt64], start: Int64) -> [CredentialMeasurement] {
        (shared.credentials + store.credentials)
            .map { credential in
                let users = lanes.indices.filter { byLane[$0] === credential }
                let statistics = credential.statistics
                var row = CredentialMeasurement(
                    lane: users.map { lanes[$0].name }.joined(separator: "+"),
                    credential: credential.source.name
                )
                row.signed = statistics.signed
                row.refreshed = statistics.refreshed
                row.servedFromCache = users.reduce(0) { $0 + sent[$1] }
                row.signP50 = statistics.medianSigningTime
                row.signMax = statistics.longestSigningTime
                row.oldestUsed = statistics.oldestUsed
                row.tokensAt = statistics.madeAt.map { $0 - start }
                return row
            }
    }
}
