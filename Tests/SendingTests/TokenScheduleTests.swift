import Testing

@testable import Sending

private let second: Int64 = 1_000_000_000
private let minute: Int64 = 60 * second

@Suite struct TokenPolicyTests {
    @Test(
        arguments: [
            (TokenPolicy.apns, nil, 50 * minute, 60 * minute),
            (.apns, 1, 50 * minute, 60 * minute),
            (.oauth, 3_599 * second, 3_299 * second, 3_599 * second),
            (.oauth, 6 * second, 5 * second, 6 * second),
            (.oauth, 1, 1, 1),
            (TokenPolicy.apns.scaled(by: 1.0 / 600), nil, 5 * second, 6 * second),
            (TokenPolicy.oauth.scaled(by: 1.0 / 600), 6 * second, 5_500_000_000, 6 * second),
        ] as [(TokenPolicy, Int64?, Int64, Int64)]
    )
    func windowOf(policy: TokenPolicy, lifetime: Int64?, refreshAge: Int64, expiryAge: Int64) {
        for start in [0, 7 * minute, 1 << 60] as [Int64] {
            let window = TokenWindow(issuedAt: start, lifetime: lifetime, policy: policy)
            #expect(window.issuedAt == start)
            #expect(window.refreshAt == start + refreshAge)
            #expect(window.expiresAt == start + expiryAge)
        }
    }

    @Test func scalesEveryTime() {
        let policy = TokenPolicy.apns.scaled(by: 1.0 / 600)
        #expect(
            policy
                == TokenPolicy(
                    lifetime: 6 * second,
                    lead: second,
                    spacing: 2 * second,
                    firstRetry: 1_666_667,
                    longestRetry: 100_000_000
                )
        )
        #expect(TokenPolicy.apns.scaled(by: 1) == .apns)
        #expect(TokenPolicy.oauth.scaled(by: 1e-12).firstRetry == 1)
    }
}

@Suite struct TokenScheduleTests {
    private func schedule(_ policy: TokenPolicy = .apns, issuedAt: Int64 = 0, lifetime: Int64? = nil) -> TokenSchedule {
        var schedule = TokenSchedule(policy: policy)
        #expect(schedule.decide(at: issuedAt) == .refresh)
        schedule.refreshed(issuedAt: issuedAt, lifetime: lifetime, at: issuedAt)
        return schedule
    }

    @Test func firstTokenIsWantedAtOnceAndOnlyOnce() {
        var schedule = TokenSchedule(policy: .apns)
        #expect(schedule.generation == 0)
        #expect(schedule.decide(at: 5) == .refresh)
        for now in 5...8 as ClosedRange<Int64> { #expect(schedule.decide(at: now) == .wait(until: nil)) }
        schedule.refreshed(issuedAt: 5, at: 9)
        #expect(schedule.decide(at: 9) == .use)
        #expect(schedule.generation == 1)
    }

    /// Asked at each of these times by a schedule whose token was issued at 0 and never renewed.
    @Test(
        arguments: [
            (0, .use),
            (20 * minute, .use),
            (50 * minute - 1, .use),
            (50 * minute, .useAndRefresh),
            (60 * minute - 1, .useAndRefresh),
            (60 * minute, .refresh),
            (90 * minute, .refresh),
        ] as [(Int64, TokenDecision)]
    )
    func apnsByAge(now: Int64, decision: TokenDecision) {
        var schedule = schedule()
        #expect(schedule.decide(at: now) == decision)
    }

    @Test(
        arguments: [
            (3_299 * second - 1, .use), (3_299 * second, .useAndRefresh), (3_599 * second, .refresh),
        ] as [(Int64, TokenDecision)]
    )
    func oauthByAge(now: Int64, decision: TokenDecision) {
        var schedule = schedule(.oauth, lifetime: 3_599 * second)
        #expect(schedule.decide(at: now) == decision)
    }

    @Test func oneRefreshHoweverManyAsk() {
        var schedule = schedule()
        let answers = (0..<1_000).map { _ in schedule.decide(at: 50 * minute) }
        #expect(answers.count { $0 == .useAndRefresh } == 1)
        #expect(answers.count { $0 == .use } == 999)
        // The refresh takes longer than the token lives: pushes wait for it, and start no second one.
        #expect(schedule.decide(at: 60 * minute) == .wait(until: nil))
        schedule.refreshed(issuedAt: 61 * minute, at: 61 * minute)
        #expect(schedule.decide(at: 61 * minute) == .use)
        #expect(schedule.decide(at: 111 * minute) == .useAndRefresh)
    }

    @Test func aFailedRefreshKeepsTheOldTokenAndTriesAgain() {
        var schedule = schedule()
        var now = 50 * minute
        for pause in [1, 2, 4, 8, 16, 32, 60, 60, 60] as [Int64] {
            #expect(schedule.decide(at: now) == .useAndRefresh)
            schedule.refreshFailed(at: now)
            #expect(schedule.nextRefresh == now + pause * second)
            #expect(schedule.decide(at: now + pause * second - 1) == .use)
            now += pause * second
        }
        #expect(schedule.failures == 9)
        #expect(schedule.decide(at: now) == .useAndRefresh)
        schedule.refreshed(issuedAt: now, at: now)
        #expect(schedule.failures == 0)
    }

    @Test func afterTheHardLimitAFailureLeavesNothingToUse() {
        var schedule = schedule()
        #expect(schedule.decide(at: 60 * minute) == .refresh)
        schedule.refreshFailed(at: 60 * minute)
        #expect(schedule.decide(at: 60 * minute) == .wait(until: 60 * minute + second))
        #expect(schedule.decide(at: 60 * minute + second) == .refresh)
    }

    @Test func manyFailuresNeverOverflowThePause() {
        var schedule = TokenSchedule(policy: .apns)
        var now: Int64 = 0
        for _ in 0..<200 {
            #expect(schedule.decide(at: now) == .refresh)
            schedule.refreshFailed(at: now)
            guard let next = schedule.nextRefresh else {
                Issue.record("no further attempt after a failure")
                return
            }
            #expect(next > now && next <= now + minute)
            now = next
        }
    }

    @Test func aRejectedTokenIsRenewedOnce() {
        var schedule = schedule()
        let now = 25 * minute
        #expect(schedule.rejected(generation: 1) == .renewing(from: 20 * minute))
        for _ in 0..<100 { #expect(schedule.rejected(generation: 1) == .alreadyRenewed) }
        #expect(schedule.decide(at: now) == .refresh)
        #expect(schedule.rejected(generation: 1) == .alreadyRenewed)
        #expect(schedule.decide(at: now) == .wait(until: nil))
        schedule.refreshed(issuedAt: now, at: now)
        #expect(schedule.decide(at: now) == .use)
        // Late answers to pushes that carried the old token.
        #expect(schedule.rejected(generation: 1) == .alreadyRenewed)
        #expect(schedule.decide(at: now) == .use)
    }

    @Test func neverTwoTokensWithinTwentyMinutes() {
        var schedule = schedule()
        #expect(schedule.rejected(generation: 1) == .renewing(from: 20 * minute))
        #expect(schedule.decide(at: 3 * minute) == .wait(until: 20 * minute))
        #expect(schedule.decide(at: 20 * minute - 1) == .wait(until: 20 * minute))
        #expect(schedule.decide(at: 20 * minute) == .refresh)
    }

    /// `iat` has whole seconds, so a token is up to a second old when it is made; on shrunk clocks that counts.
    @Test func ageCountsFromTheClaimAndSpacingFromTheMaking() {
        var schedule = TokenSchedule(policy: .apns.scaled(by: 1.0 / 600))
        let made = 10 * second
        #expect(schedule.decide(at: made) == .refresh)
        schedule.refreshed(issuedAt: made - 900_000_000, at: made)
        #expect(schedule.nextRefresh == made - 900_000_000 + 5 * second)
        #expect(schedule.rejected(generation: 1) == .renewing(from: made + 2 * second))
    }

    /// Asks every 100 ms for ten scaled hours, as workers do: the rules imply how often a token is made.
    @Test func signsAsOftenAsTheRulesImply() {
        var schedule = TokenSchedule(policy: .apns.scaled(by: 1.0 / 600))
        var made: [Int64] = []
        for step in 0..<600 {
            let now = Int64(step) * 100_000_000
            let decision = schedule.decide(at: now)
            #expect(schedule.isRefreshing || decision == .use)
            guard decision != .use else { continue }
            schedule.refreshed(issuedAt: now, at: now)
            made.append(now)
        }
        #expect(made == (0..<12).map { $0 * 5 * second })
    }
}
