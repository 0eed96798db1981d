import Foundation
import Sending
import Synchronization
import Testing

@testable import Credentials

private let second: Int64 = 1_000_000_000
private let minute: Int64 = 60 * second

/// A clock that tests turn by hand; wall time is monotonic time plus a fixed start.
private final class ManualClock: Sendable {
    static let start: Int64 = 1_700_000_000 * second
    private let time: Atomic<Int64>

    init(at time: Int64 = 0) { self.time = Atomic(time) }

    var now: Int64 { time.load(ordering: .acquiring) }
    func advance(to time: Int64) { self.time.store(time, ordering: .releasing) }
    func advance(by step: Int64) { time.add(step, ordering: .acquiringAndReleasing) }

    var clock: CredentialClock {
        CredentialClock(monotonic: { self.now }, wall: { Self.start + self.now })
    }
}

/// Makes numbered tokens, counts them, and notices when two are made at once.
private final class CountingSource: TokenSource {
    let name: String
    let fingerprint: String
    let made = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let isFailing = Atomic<Bool>(false)
    private let underWay = Atomic<Int>(0)

    static let failure = TokenFailure.exchange(OAuthError(url: "https://h/token", fault: .timedOut(reason: "slow")))

    init(name: String = "KEY1234567", fingerprint: String = "f1") {
        self.name = name
        self.fingerprint = fingerprint
    }

    var count: Int { made.load(ordering: .acquiring) }
    func fail(_ isFailing: Bool) { self.isFailing.store(isFailing, ordering: .releasing) }

    func makeToken(clock: CredentialClock, cancellation: Cancellation) throws(TokenFailure) -> MadeToken {
        if underWay.add(1, ordering: .acquiringAndReleasing).oldValue > 0 {
            overlaps.add(1, ordering: .relaxed)
        }
        defer { underWay.subtract(1, ordering: .acquiringAndReleasing) }
        // Gives the other threads every chance to start a second one.
        for _ in 0..<20 { sched_yield() }
        if isFailing.load(ordering: .acquiring) { throw Self.failure }
        let number = made.add(1, ordering: .acquiringAndReleasing).newValue
        return MadeToken(
            bytes: Array("token\(number)".utf8),
            issuedAt: clock.monotonic(),
            lifetime: nil,
            signingTime: Int64(number) * 10
        )
    }
}

@Suite struct CredentialTests {
    private let clock = ManualClock(at: second)
    private let source = CountingSource()

    private func makeStore(onFailure: @escaping @Sendable (Credential, TokenFailure) -> Void = { _, _ in })
        -> CredentialStore
    {
        CredentialStore(clock: clock.clock, onFailure: onFailure)
    }

    @Test func readerSeesEachTokenOnce() {
        let credential = makeStore().credential(for: source, policy: .apns)
        var reader = TokenReader(credential)
        #expect(reader.check(at: clock.now) == .unavailable)

        #expect(credential.refreshIfDue() == second + 50 * minute)
        #expect(reader.check(at: clock.now) == .changed)
        #expect(reader.bytes == Array("token1".utf8))
        #expect(reader.generation == 1)
        for _ in 0..<5 { #expect(reader.check(at: clock.now) == .unchanged) }

        clock.advance(by: 50 * minute - 1)
        #expect(credential.refreshIfDue() == second + 50 * minute)
        #expect(reader.check(at: clock.now) == .unchanged)
        clock.advance(by: 1)
        #expect(credential.refreshIfDue() == second + 100 * minute)
        #expect(reader.check(at: clock.now) == .changed)
        #expect(reader.bytes == Array("token2".utf8))
    }

    @Test func countsWhatWasServedAndHowOldItWas() {
        let credential = makeStore().credential(for: source, policy: .apns)
        credential.refreshIfDue()
        var reader = TokenReader(credential)
        let statuses = [
            reader.check(at: clock.now, pushes: 3),
            reader.check(at: clock.now + 7 * second),
            reader.check(at: clock.now + 59 * minute, pushes: 2),
            reader.check(at: clock.now + 60 * minute, pushes: 100),
        ]
        #expect(statuses == [.changed, .unchanged, .unchanged, .unavailable])
        reader.report()
        reader.report()
        #expect(credential.statistics.servedFromCache == 6)
        #expect(credential.statistics.oldestUsed == 59 * minute)
        do {
            var second = TokenReader(credential)
            #expect(second.check(at: clock.now, pushes: 4) == .changed)
        }
        #expect(credential.statistics.servedFromCache == 10)
    }

    @Test func countsSignaturesAndTheirTimes() {
        let credential = makeStore().credential(for: source, policy: .apns)
        for _ in 0..<5 {
            credential.refreshIfDue()
            clock.advance(by: 50 * minute)
        }
        let statistics = credential.statistics
        #expect(statistics.signed == 5)
        #expect(statistics.refreshed == 4)
        #expect(statistics.medianSigningTime == 30)
        #expect(statistics.longestSigningTime == 50)
    }

    @Test func aFailedRefreshKeepsTheOldTokenUntilItsHardLimit() {
        let reported = Mutex<[TokenFailure]>([])
        let store = makeStore { _, failure in reported.withLock { $0.append(failure) } }
        let credential = store.credential(for: source, policy: .apns)
        credential.refreshIfDue()
        var reader = TokenReader(credential)
        _ = reader.check(at: clock.now)

        source.fail(true)
        clock.advance(by: 50 * minute)
        #expect(credential.refreshIfDue() == clock.now + second)
        #expect(reader.check(at: clock.now) == .unchanged)
        #expect(credential.isReady)
        #expect(credential.statistics.failures == 1)
        #expect(credential.statistics.lastFailure == CountingSource.failure)
        #expect(reported.withLock { $0 } == [CountingSource.failure])

        clock.advance(by: 10 * minute)
        credential.refreshIfDue()
        #expect(reader.check(at: clock.now) == .unavailable)
        #expect(!credential.isReady)

        source.fail(false)
        clock.advance(by: minute)
        credential.refreshIfDue()
        #expect(reader.check(at: clock.now) == .changed)
        #expect(credential.statistics.lastFailure == nil)
        #expect(credential.statistics.failures == 2)
    }

    @Test func aRejectedTokenIsTakenAwayAndRenewedOnce() {
        let credential = makeStore().credential(for: source, policy: .apns)
        credential.refreshIfDue()
        var reader = TokenReader(credential)
        _ = reader.check(at: clock.now)
        clock.advance(by: 21 * minute)

        #expect(credential.rejected(generation: reader.generation) == .renewing(from: second + 20 * minute))
        for _ in 0..<10 { #expect(credential.rejected(generation: 1) == .alreadyRenewed) }
        #expect(reader.check(at: clock.now) == .unavailable)
        credential.refreshIfDue()
        credential.refreshIfDue()
        #expect(reader.check(at: clock.now) == .changed)
        #expect(credential.rejected(generation: 1) == .alreadyRenewed)
        #expect(source.count == 2)
    }

    /// Eight threads ask at every moment of three scaled hours and read what is there; the rules alone decide how
    /// many tokens are made.
    @Test func oneRefreshAtATimeHoweverManyThreadsAsk() async {
        let credential = makeStore().credential(for: source, policy: .apns.scaled(by: 1.0 / 600))
        credential.refreshIfDue()
        var expected = 1
        var next = clock.now + 5 * second
        for _ in 0..<180 {
            clock.advance(by: second / 10)
            if clock.now >= next { (expected, next) = (expected + 1, clock.now + 5 * second) }
            let now = clock.now
            let served = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        credential.refreshIfDue()
                        var reader = TokenReader(credential)
                        return reader.check(at: now) == .changed
                    }
                }
                return await group.reduce(true) { $0 && $1 }
            }
            #expect(served)
            #expect(source.count == expected)
        }
        #expect(source.overlaps.load(ordering: .relaxed) == 0)
        #expect(credential.statistics.servedFromCache == 180 * 8)
        #expect(expected == 4)
    }

    @Test func oneKeyHasOneCredential() {
        let store = makeStore()
        let first = store.credential(for: source, policy: .apns)
        #expect(store.credential(for: CountingSource(), policy: .apns) === first)
        #expect(store.credential(for: CountingSource(fingerprint: "f2"), policy: .apns) !== first)
        #expect(store.credential(for: CountingSource(name: "KEY7654321"), policy: .apns) !== first)
        #expect(store.credentials.count == 3)
    }
}

@Suite struct TokenSourceTests {
    @Test func providerTokensCountTheirAgeFromTheClaim() throws {
        let clock = ManualClock(at: 7 * second + 250_000_000)
        let identity = try ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456")
        let source = ProviderTokenSource(key: try .generate(.es256), identity: identity)
        let made = try source.makeToken(clock: clock.clock, cancellation: Cancellation())
        #expect(made.issuedAt == 7 * second)
        #expect(try JSONWebToken(parsing: made.bytes).claims.iat == 1_700_000_007)
        #expect(source.name == "ABC123DEFG")
        #expect(source.fingerprint == source.key.fingerprint)
        #expect("\(made)" == "token of \(made.bytes.count) characters")
    }

    /// Two shards, whose machines have been up for different times, sign the same tokens.
    @Test func sharedTokensAreTheSameBytes() throws {
        let key = try SigningKey.generate(.es256)
        let identity = try ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456")
        let agreed = ManualClock.start + minute
        func tokens(upFor time: Int64) throws -> [[UInt8]] {
            let clock = ManualClock(at: time)
            let source = SharedProviderTokenSource(ProviderTokenSource(key: key, identity: identity))
            source.share(SharedTokenTimes(agreedStart: agreed, monotonic: time + minute, policy: .apns))
            let store = CredentialStore(clock: clock.clock)
            let credential = store.credential(for: source, policy: .apns)
            var reader = TokenReader(credential)
            return (0..<3)
                .map { _ in
                    let next = credential.refreshIfDue()
                    _ = reader.check(at: clock.now)
                    clock.advance(to: next ?? 0)
                    return reader.bytes
                }
        }
        let first = try tokens(upFor: 0)
        #expect(try tokens(upFor: 1_000 * minute + 1) == first)
        let claims = try first.map { try JSONWebToken(parsing: $0).claims.iat }
        let start = Double(agreed / second)
        #expect(claims == [start, start + 3_000, start + 6_000])
        let publicKey = try key.publicKey
        #expect(try first.allSatisfy { try JSONWebToken(parsing: $0).isSigned(by: publicKey) })
    }

    @Test func aSharedTokenThatWasRefusedIsFollowedByOneOfOurOwn() throws {
        let clock = ManualClock(at: 70 * second)
        let identity = try ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456")
        let source = SharedProviderTokenSource(ProviderTokenSource(key: try .generate(.es256), identity: identity))
        source.share(SharedTokenTimes(agreedStart: ManualClock.start, monotonic: 0, policy: .apns))
        let credential = CredentialStore(clock: clock.clock).credential(for: source, policy: .apns)
        var claims: [Double?] = []
        func take(at time: Int64) throws {
            clock.advance(to: time)
            credential.refreshIfDue()
            claims.append(try JSONWebToken(parsing: credential.current().snapshot.bytes).claims.iat)
        }
        try take(at: 70 * second)
        #expect(credential.rejected(generation: 1) == .renewing(from: 70 * second + 20 * minute))
        try take(at: 70 * second + 20 * minute)
        // When the next shared one is due, all have the same again.
        try take(at: 70 * second + 70 * minute)
        #expect(claims == [1_700_000_000, 1_700_001_270, 1_700_003_000])
        #expect(credential.statistics.madeAt.count == 3)
    }

    @Test func withoutAnAgreementTokensAreTheShardsOwn() throws {
        let clock = ManualClock(at: 7 * second + 250_000_000)
        let identity = try ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456")
        let source = SharedProviderTokenSource(ProviderTokenSource(key: try .generate(.es256), identity: identity))
        let made = try (0..<2).map { _ in try source.makeToken(clock: clock.clock, cancellation: Cancellation()) }
        #expect(made.map(\.issuedAt) == [7 * second, 7 * second])
        #expect(made[0].bytes != made[1].bytes)
    }

    @Test func accessTokenFailuresAreTyped() throws {
        let account = ServiceAccount(
            projectID: "p",
            clientEmail: "a@b",
            keyID: "k",
            tokenURI: "http://127.0.0.1/token",
            key: try .generate(.rs256)
        )
        let source = AccessTokenSource(account: account, client: OAuthClient())
        let failure = #expect(throws: TokenFailure.self) {
            try source.makeToken(clock: ManualClock().clock, cancellation: Cancellation())
        }
        #expect(failure == .exchange(OAuthError(url: "http://127.0.0.1/token", fault: .notHTTPS)))
        #expect(failure?.isPermanent == true)
    }
}

/// The store with its own threads and the system's clock.
@Suite struct CredentialStoreThreadTests {
    /// Far enough that no test gets there.
    private var inAMinute: Int64 { CredentialClock.system.monotonic() + minute }

    @Test func makesTheFirstTokensAndRenewsARejectedOne() throws {
        let store = CredentialStore()
        let key = try SigningKey.generate(.es256)
        let identity = try ProviderIdentity(keyID: "ABC123DEFG", teamID: "TEAM123456")
        var policy = TokenPolicy.apns
        policy.spacing = 0
        let credential = store.credential(for: ProviderTokenSource(key: key, identity: identity), policy: policy)
        store.start()
        #expect(try store.waitUntilReady(until: inAMinute))
        var reader = TokenReader(credential)
        #expect(reader.check(at: CredentialClock.system.monotonic()) == .changed)
        #expect(try JSONWebToken(parsing: reader.bytes).isSigned(by: key.publicKey))

        #expect(credential.rejected(generation: 1) != .alreadyRenewed)
        #expect(try store.waitUntilReady(until: inAMinute))
        #expect(reader.check(at: CredentialClock.system.monotonic()) == .changed)
        #expect(reader.generation == 2)
        store.stop()
        #expect(credential.statistics.signed == 2)
    }

    @Test func addsCredentialsWhileItRuns() throws {
        let store = CredentialStore()
        store.start()
        let (first, second) = (CountingSource(), CountingSource(fingerprint: "f2"))
        _ = store.credential(for: first, policy: .apns)
        _ = store.credential(for: second, policy: .apns)
        #expect(try store.waitUntilReady(until: inAMinute))
        store.stop()
        #expect(first.count == 1 && second.count == 1)
    }

    @Test func throwsTheFirstFailure() {
        let store = CredentialStore()
        let source = CountingSource()
        source.fail(true)
        _ = store.credential(for: source, policy: .apns)
        store.start()
        #expect(throws: CountingSource.failure) { try store.waitUntilReady(until: inAMinute) }
        store.stop()
    }

    @Test func aDeadlineThatHasPassedIsNotReady() throws {
        let store = CredentialStore()
        _ = store.credential(for: CountingSource(), policy: .apns)
        #expect(try !store.waitUntilReady(until: 0))
    }

    @Test func stoppingEndsARefreshUnderWay() {
        /// Never answers until it is told to give up.
        final class StuckSource: TokenSource {
            let name = "stuck"
            let fingerprint = "f"
            let hasBegun = Alarm()

            func makeToken(clock: CredentialClock, cancellation: Cancellation) throws(TokenFailure) -> MadeToken {
                hasBegun.ring()
                while !cancellation.isCancelled { sched_yield() }
                throw .exchange(OAuthError(url: "https://h/token", fault: .cancelled))
            }
        }
        let failures = Atomic<Int>(0)
        let store = CredentialStore { _, _ in failures.add(1, ordering: .relaxed) }
        let source = StuckSource()
        _ = store.credential(for: source, policy: .oauth)
        store.start()
        source.hasBegun.wait(until: nil)
        store.stop()
        // Giving up because the run ends is no failure to report.
        #expect(failures.load(ordering: .relaxed) == 0)
        store.stop()
    }
}

@Suite struct AlarmTests {
    @Test func keepsARingThatCameBefore() {
        let alarm = Alarm()
        alarm.ring()
        alarm.wait(until: nil)
    }

    @Test func wakesAtItsTime() {
        let alarm = Alarm()
        alarm.wait(until: 0)
        let deadline = CredentialClock.system.monotonic() + 2_000_000
        alarm.wait(until: deadline)
        #expect(CredentialClock.system.monotonic() >= deadline)
    }
}
