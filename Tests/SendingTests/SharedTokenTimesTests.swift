import Sending
import Testing

private let second: Int64 = 1_000_000_000
private let minute: Int64 = 60 * second

@Suite("Times of shared provider tokens") struct SharedTokenTimesTests {
    private let agreed = 1_700_000_000 * second + 250_000_000

    @Test("Every shard finds the same tokens, whatever its monotonic clock says")
    func alike() {
        let offsets: [Int64] = [0, 5 * second, 1_000 * minute + 17]
        let all = offsets.map { SharedTokenTimes(agreedStart: agreed, monotonic: $0, policy: .apns) }
        let ages: [(Int64, Int64)] = [
            (-second, 0), (0, 0), (49 * minute, 0), (50 * minute - second, 0), (50 * minute, 1), (125 * minute, 2),
        ]
        for (age, number) in ages {
            for (times, offset) in zip(all, offsets) { #expect(times.number(at: offset + age) == number) }
        }
        for number in 0..<3 as Range<Int64> {
            #expect(Set(all.map { $0.claim(of: number) }) == [1_700_000_000 + number * 3_000])
        }
    }

    @Test("A token is as old as its claim says")
    func age() {
        let times = SharedTokenTimes(agreedStart: agreed, monotonic: 7 * second, policy: .apns)
        #expect(times.issue(of: 0) == 7 * second - 250_000_000)
        #expect(times.issue(of: 2) - times.issue(of: 1) == 50 * minute)
        #expect(times.claim(of: 0) * second == agreed - 250_000_000)
    }

    @Test("The next one is due exactly when the schedule renews the one before")
    func renewal() {
        let times = SharedTokenTimes(agreedStart: agreed, monotonic: 0, policy: .apns)
        var schedule = TokenSchedule(policy: .apns)
        var now: Int64 = 3 * second
        for number in 0..<5 as Range<Int64> {
            #expect(schedule.decide(at: now) == (number == 0 ? .refresh : .useAndRefresh))
            #expect(times.number(at: now) == number)
            schedule.refreshed(issuedAt: times.issue(of: number), at: now)
            now = schedule.nextRefresh ?? 0
        }
    }
}

@Suite("Clocks of hosts") struct HostClockTests {
    /// A host whose date says 100 is somewhere in that second, when it is asked from 100.4 s to 100.6 s by our clock.
    @Test(
        arguments: [
            (100, 100_400, 100_600, 0), (100, 101_400, 101_600, 1_000), (100, 40_500, 40_500, -60_000),
            (100, 100_000, 100_000, -500),
        ] as [(Int64, Int64, Int64, Int64)]
    )
    func distance(date: Int64, asked: Int64, answered: Int64, ahead: Int64) {
        let found = HostClock.ahead(date: date, asked: asked * 1_000_000, answered: answered * 1_000_000)
        #expect(found == ahead * 1_000_000)
    }
}
