import Fleet
import LoadPlan
import Testing

@testable import Sending

@Suite("Retry policy")
struct RetryPolicyTests {
    private let second = Nanoseconds.second

    private func policy(
        _ provider: Provider,
        attempts: Int = 5,
        on: [RetryCause] = RetryCause.allCases,
        scale: Int = 1
    ) -> RetryPolicy {
        var section = RetrySection()
        section.attempts = attempts
        section.on = on
        section.clockScale = scale
        return RetryPolicy(section, provider: provider)
    }

    /// The wait with the least and the greatest jitter.
    private func waits(_ policy: RetryPolicy, _ ending: RetryPolicy.Ending, attempts: Int) -> [Int64?] {
        // Back-off takes jitter modulo its bound: 0 is the least, one below the bound the greatest.
        let most = Backoff(first: second, longest: 10 * Nanoseconds.minute).most(attempts - 1)
        return [0, UInt64(most - 1)]
            .map {
                policy.retry(after: ending, attempts: attempts, due: 0, at: 0, end: .max, jitter: $0)
            }
    }

    @Test(
        "The services' floors, with back-off and full jitter on top",
        arguments: [
            (Provider.fcm, RetryPolicy.Ending.answered(status: 429, retryAfter: nil), 1, 60, 1),
            (.fcm, .answered(status: 429, retryAfter: 30 * Nanoseconds.second), 1, 30, 1),
            (.fcm, .answered(status: 429, retryAfter: Nanoseconds.second), 1, 10, 1),
            (.fcm, .answered(status: 503, retryAfter: nil), 1, 10, 1),
            (.fcm, .answered(status: 503, retryAfter: 45 * Nanoseconds.second), 3, 45, 4),
            (.fcm, .answered(status: 500, retryAfter: nil), 4, 10, 8),
            (.fcm, .failed(.timedOut), 1, 10, 1),
            (.apns, .answered(status: 503, retryAfter: nil), 1, 900, 1),
            (.apns, .answered(status: 500, retryAfter: nil), 2, 900, 2),
            (.apns, .answered(status: 503, retryAfter: 5 * Nanoseconds.second), 1, 5, 1),
            (.apns, .answered(status: 429, retryAfter: nil), 1, 0, 1),
            (.apns, .answered(status: 429, retryAfter: nil), 4, 0, 8),
            (.apns, .failed(.connectionLost), 1, 0, 1),
        ]
    )
    func floors(provider: Provider, ending: RetryPolicy.Ending, attempts: Int, floor: Int64, jitter: Int64) {
        let expected = [floor * second + 1, (floor + jitter) * second]
        #expect(waits(policy(provider), ending, attempts: attempts) == expected)
    }

    @Test("Back-off ends at its longest")
    func longest() {
        let policy = policy(.apns, attempts: 100)
        let ending = RetryPolicy.Ending.answered(status: 429, retryAfter: nil)
        let wait = policy.retry(
            after: ending,
            attempts: 60,
            due: 0,
            at: 0,
            end: .max,
            jitter: UInt64(10 * Nanoseconds.minute - 1)
        )
        #expect(wait == 10 * Nanoseconds.minute)
    }

    @Test("The scale divides floors and back-off, but not what the host says")
    func scale() {
        let policy = policy(.fcm, scale: 100)
        func wait(_ ending: RetryPolicy.Ending) -> Int64? {
            policy.retry(after: ending, attempts: 1, due: 0, at: 0, end: .max, jitter: 0)
        }
        #expect(wait(.answered(status: 429, retryAfter: nil)) == 600 * Nanoseconds.millisecond + 1)
        #expect(wait(.answered(status: 429, retryAfter: 2 * second)) == 2 * second + 1)
        #expect(wait(.answered(status: 500, retryAfter: nil)) == 100 * Nanoseconds.millisecond + 1)
    }

    @Test("So many attempts, only on what the profile names, and never after the run or FCM's hour")
    func bounds() {
        let ending = RetryPolicy.Ending.answered(status: 429, retryAfter: 0)
        func at(_ policy: RetryPolicy, _ ending: RetryPolicy.Ending, attempts: Int = 1, end: Int64 = .max) -> Int64? {
            policy.retry(after: ending, attempts: attempts, due: 0, at: 0, end: end, jitter: 0)
        }
        #expect(!policy(.apns, attempts: 1).isActive && policy(.apns).isActive)
        #expect(at(policy(.apns, attempts: 1), ending) == nil)
        #expect(at(policy(.apns, attempts: 3), ending, attempts: 2) != nil)
        #expect(at(policy(.apns, attempts: 3), ending, attempts: 3) == nil)
        #expect(at(policy(.apns), ending, end: 1) == nil)
        #expect(at(policy(.apns), ending, end: 2) == 1)
        #expect(at(policy(.apns, on: [.timedOut]), ending) == nil)
        #expect(at(policy(.apns, on: [.retryLater]), .failed(.timedOut)) == nil)
        #expect(at(policy(.apns, on: [.timedOut]), .failed(.timedOut)) != nil)
        #expect(at(policy(.apns, on: [.streamReset]), .failed(.streamReset)) != nil)
        for cause in [LocalFailure.streamRefused, .protocolError, .unreachable] {
            #expect(at(policy(.apns), .failed(cause)) == nil)
        }
        let late = RetryPolicy.Ending.answered(status: 429, retryAfter: 3600 * second)
        #expect(at(policy(.fcm), late) == nil && at(policy(.apns), late) != nil)
    }
}
