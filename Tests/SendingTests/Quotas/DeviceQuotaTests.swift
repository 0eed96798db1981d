import LoadPlan
import Testing

@testable import Sending

@Suite("Quotas of single devices")
struct DeviceQuotaTests {
    private func section(
        _ limits: [DeviceLimit],
        collapsible: CollapsibleLimit? = nil,
        devices: Int = 64
    ) -> QuotaSection {
        var section = QuotaSection()
        (section.perDevice, section.collapsible, section.devices) = (limits, collapsible, devices)
        return section
    }

    private static let fcm = [
        DeviceLimit(limit: 240, per: Nanoseconds.minute), DeviceLimit(limit: 5000, per: Nanoseconds.hour),
    ]

    /// Sends to one device as fast as allowed and returns when each push went.
    private func departures(_ quota: inout DeviceQuota, count: Int, isCollapsible: Bool = false) -> [Int64] {
        var now: Int64 = 0
        return (0..<count)
            .map { _ in
                while true {
                    let at = quota.take(device: 7, isCollapsible: isCollapsible, at: now)
                    if at <= now { return now }
                    now = at
                }
            }
    }

    @Test(
        "240 a minute and 5,000 an hour: 20 full minutes, then the rest of the hour's, then a pause until the next hour"
    )
    func fcm() {
        var quota = DeviceQuota(section(Self.fcm))
        let times = departures(&quota, count: 5240)
        #expect(times[239] == 0 && times[240] == Nanoseconds.minute)
        // 20 × 240 = 4,800 by minute 19; 200 more in minute 20.
        #expect(times[4799] == 19 * Nanoseconds.minute && times[4999] == 20 * Nanoseconds.minute)
        #expect(times[5000] == Nanoseconds.hour && times[5239] == Nanoseconds.hour)
    }

    @Test("Collapsible: 20 at once, then one in three minutes; others are not held up by it")
    func collapsible() {
        var quota = DeviceQuota(section([], collapsible: CollapsibleLimit(burst: 20, every: 3 * Nanoseconds.minute)))
        let times = departures(&quota, count: 24, isCollapsible: true)
        #expect(times == Array(repeating: 0, count: 20) + (1...4).map { $0 * 3 * Nanoseconds.minute })
        #expect(quota.take(device: 7, isCollapsible: false, at: 0) == 0)
        // An hour of rest earns the burst again, and no more than that.
        let later = 2 * Nanoseconds.hour
        for _ in 0..<20 { #expect(quota.take(device: 7, isCollapsible: true, at: later) == later) }
        #expect(quota.take(device: 7, isCollapsible: true, at: later) == later + 3 * Nanoseconds.minute)
    }

    @Test("A refused push counts for nothing, and devices don't count for each other")
    func independent() {
        var quota = DeviceQuota(section([DeviceLimit(limit: 1, per: 100)]))
        #expect(quota.isActive)
        for device in 0..<16 as Range<UInt64> { #expect(quota.take(device: device, isCollapsible: false, at: 0) == 0) }
        #expect(quota.take(device: 3, isCollapsible: false, at: 50) == 100)
        #expect(quota.take(device: 3, isCollapsible: false, at: 50) == 100)
        #expect(quota.take(device: 3, isCollapsible: false, at: 100) == 100)
    }

    @Test("Memory is bounded: of more devices than places, those sent to longest ago are forgotten")
    func bounded() {
        var quota = DeviceQuota(section([DeviceLimit(limit: 1, per: Nanoseconds.hour)], devices: 4))
        for device in 0..<4 as Range<UInt64> {
            #expect(quota.take(device: device, isCollapsible: false, at: Int64(device)) == Int64(device))
        }
        #expect(quota.take(device: 0, isCollapsible: false, at: 10) > 10)
        // One more takes the place of device 1, which is the oldest now.
        #expect(quota.take(device: 9, isCollapsible: false, at: 11) == 11)
        #expect(quota.take(device: 0, isCollapsible: false, at: 12) > 12)
        #expect(quota.take(device: 1, isCollapsible: false, at: 13) == 13)
    }

    @Test("Without limits nothing is kept")
    func none() {
        #expect(!DeviceQuota(QuotaSection()).isActive)
    }

    @Test("A push's own wait for the quota is a difference of two readings")
    func wait() {
        var wait = QuotaWait()
        #expect(wait.reading(at: 5) == 0)
        wait.blocked(at: 10)
        wait.blocked(at: 15)
        #expect(wait.reading(at: 20) == 10)
        wait.opened(at: 30)
        wait.opened(at: 40)
        #expect(wait.reading(at: 50) == 20)
        wait.blocked(at: 60)
        #expect(wait.reading(at: 61) == 21)
    }
}
