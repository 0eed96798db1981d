import LoadPlan
import Testing

@testable import Sending

@Suite("Quota keepers")
struct QuotaKeeperTests {
    private func section(
        _ keeper: QuotaKeeping,
        limit: Int,
        per: Int64,
        reserve: Double = 0
    ) -> QuotaSection {
        var section = QuotaSection()
        (section.keeper, section.limit, section.per, section.reserve) = (keeper, limit, per, reserve)
        return section
    }

    /// Asks for pushes that are all there from the start, at the times the keeper names, and returns when each went.
    private func departures(_ keeper: inout QuotaKeeper, count: Int, from start: Int64 = 0) -> [Int64] {
        var now = start
        return (0..<count)
            .map { _ in
                while true {
                    let at = keeper.take(at: now)
                    if at <= now { return now }
                    now = at
                }
            }
    }

    @Test("None holds nothing up")
    func none() {
        var keeper = QuotaKeeper(section(.none, limit: 1, per: Nanoseconds.day), workers: 1)
        #expect(!keeper.isActive)
        #expect(departures(&keeper, count: 1000) == Array(repeating: 0, count: 1000))
    }

    @Test("Smooth: the n-th push leaves n intervals after the first", arguments: [1, 2, 4])
    func smooth(workers: Int) {
        var keeper = QuotaKeeper(section(.smooth, limit: 600, per: Nanoseconds.minute), workers: workers)
        let interval = 100 * Nanoseconds.millisecond * Int64(workers)
        #expect(departures(&keeper, count: 50, from: 7) == (0..<50).map { 7 + $0 * interval })
    }

    @Test("Smooth: a reserve widens the interval, and is rounded to the safe side")
    func reserve() {
        var keeper = QuotaKeeper(section(.smooth, limit: 3, per: Nanoseconds.second, reserve: 0.5), workers: 1)
        #expect(departures(&keeper, count: 3) == [0, 666_666_667, 1_333_333_334])
    }

    @Test("Smooth: a late worker catches up with 10 ms, not with a pause")
    func slack() {
        var keeper = QuotaKeeper(section(.smooth, limit: 1000, per: Nanoseconds.second), workers: 1)
        let millisecond = Nanoseconds.millisecond
        #expect(keeper.take(at: 0) == 0)
        // 4 ms late: 4 are due, the fifth is not.
        let late = 4 * millisecond
        for _ in 0..<4 { #expect(keeper.take(at: late) == late) }
        #expect(keeper.take(at: late) == 5 * millisecond)
        // A second late: eleven at once, at 10 ms before, 9 ms before, ... now.
        let later = Nanoseconds.second
        for _ in 0..<11 { #expect(keeper.take(at: later) == later) }
        #expect(keeper.take(at: later) == later + millisecond)
    }

    @Test("600 a second for a service that limits so: no second of the window keeper has more")
    func second() {
        var keeper = QuotaKeeper(section(.window, limit: 600, per: Nanoseconds.second), workers: 1)
        let times = departures(&keeper, count: 1500, from: 5)
        #expect(times == (0..<1500).map { 5 + Int64($0 / 600) * Nanoseconds.second })
    }

    @Test(
        "Window: an even part for each worker, less the reserve",
        arguments: [(1, 0.0, 600), (4, 0.0, 150), (1, 0.1, 540)]
    )
    func parts(workers: Int, reserve: Double, count: Int) {
        let quota = section(.window, limit: 600, per: Nanoseconds.minute, reserve: reserve)
        var keeper = QuotaKeeper(quota, workers: workers)
        let times = departures(&keeper, count: count + 1)
        #expect(times == Array(repeating: 0, count: count) + [Nanoseconds.minute])
    }

    @Test("Window: windows keep their phase over a pause")
    func phase() {
        var keeper = QuotaKeeper(section(.window, limit: 1, per: 100), workers: 1)
        #expect(keeper.take(at: 30) == 30)
        #expect(keeper.take(at: 30) == 130)
        // The windows begin at 30, 130, ... 530.
        #expect(keeper.take(at: 555) == 555)
        #expect(keeper.take(at: 555) == 630)
    }

    @Test("Window: after a 429 only probes go; the first that is taken shows where a window began")
    func learning() {
        var quota = WindowQuota(section(.window, limit: 10, per: 10_000), parts: 1)
        for _ in 0..<5 { #expect(quota.take(at: 0) == 0) }
        quota.accepted(writtenAt: 0)
        #expect(!quota.isRefused)
        quota.refused(writtenAt: 1, retryAfter: nil, at: 20)
        // More answers of the same burst say nothing new.
        quota.refused(writtenAt: 2, retryAfter: nil, at: 21)
        #expect(quota.isRefused)
        #expect(quota.take(at: 21) == 120)
        #expect(quota.take(at: 120) == 120)
        #expect(quota.take(at: 120) == 220)
        quota.refused(writtenAt: 121, retryAfter: nil, at: 140)
        // One that went out before the last refused one proves nothing.
        quota.accepted(writtenAt: 2)
        #expect(quota.isRefused)
        #expect(quota.take(at: 220) == 220)
        quota.accepted(writtenAt: 221)
        #expect(!quota.isRefused)
        // The window began at 221 and has its probe: nine more, and ten in each that follows.
        for _ in 0..<9 { #expect(quota.take(at: 230) == 230) }
        #expect(quota.take(at: 230) == 10_221)
        for _ in 0..<10 { #expect(quota.take(at: 10_221) == 10_221) }
        #expect(quota.take(at: 10_221) == 20_221)
    }

    @Test("Window: what the host says about its next window is believed")
    func retryAfter() {
        var quota = WindowQuota(section(.window, limit: 10, per: 10_000), parts: 1)
        #expect(quota.take(at: 0) == 0)
        quota.refused(writtenAt: 1, retryAfter: 4000, at: 20)
        #expect(quota.take(at: 20) == 4020)
        #expect(quota.take(at: 4020) == 4020)
    }

    /// A host with a fixed window of unknown phase against a keeper that is asked for more than it may send.
    @Test(
        "Window: under a threefold overload the host's windows are filled to 98%, whatever their phase",
        arguments: 0..<10
    )
    func fill(tenth: Int64) {
        let (length, limit) = (6 * Nanoseconds.second, 6000)
        let phase = tenth * length / 10
        var keeper = QuotaKeeper(section(.window, limit: limit, per: length), workers: 1)
        let interval = length / Int64(3 * limit)
        let roundTrip = 20 * Nanoseconds.millisecond
        var taken: [Int64: Int] = [:]
        var answers: [(at: Int64, writtenAt: Int64, isRefused: Bool)] = []
        var answered = 0
        // Somebody else has used half of the first window.
        taken[(0 - phase + length) / length] = limit / 2
        for step in 0..<Int64(3 * limit * 8) {
            let now = step * interval
            while answered < answers.count, answers[answered].at <= now {
                let answer = answers[answered]
                keeper.answered(
                    writtenAt: answer.writtenAt,
                    isRefused: answer.isRefused,
                    retryAfter: nil,
                    at: answer.at
                )
                answered += 1
            }
            guard keeper.take(at: now) <= now else { continue }
            let window = (now - phase + length) / length
            let isRefused = taken[window, default: 0] >= limit
            if !isRefused { taken[window, default: 0] += 1 }
            answers.append((now + roundTrip, now, isRefused))
        }
        for window in Int64(2)..<7 {
            #expect(taken[window, default: 0] * 100 >= limit * 98, "window \(window) of phase \(tenth)")
        }
        // After the phase is known, hardly anything is refused: the answers still on their way when the first no came.
        #expect(answers.count { $0.isRefused } < limit / 10)
    }
}
