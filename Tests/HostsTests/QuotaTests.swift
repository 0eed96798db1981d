import Testing

@testable import Hosts

private let second: Int64 = 1_000_000_000
private let minute = 60 * second

/// Limits that are refilled in full, and what devices may get.
@Suite struct QuotaTests {
    /// Whether one was left at each of these times.
    private func take(from quota: inout QuotaWindow, at times: [Int64]) -> [Bool] {
        var taken: [Bool] = []
        for time in times { taken.append(quota.take(at: time)) }
        return taken
    }

    @Test func aWindowIsSpentAtOnceAndRefilledInFull() {
        var quota = QuotaWindow(.init(3, per: minute), phase: 17 * second)
        let start = 1000 * minute + 17 * second
        let first = take(from: &quota, at: [start, start + 1, start + 2, start + 3, start + minute - 1])
        #expect(first == [true, true, true, false, false])
        #expect(quota.untilRefill(at: start + 40 * second) == 20 * second)
        let next = take(from: &quota, at: [0, 1, 2, 3].map { start + minute + $0 })
        #expect(next == [true, true, true, false])
        #expect(quota.used == 3)
    }

    /// A sender that counts from :00 meets the end of the window in the middle of its own minute.
    @Test func theWindowIsNotAlignedToTheClock() {
        var quota = QuotaWindow(.init(1, per: minute), phase: 20 * second)
        let taken = take(from: &quota, at: [0, 19, 20, 60].map { 1000 * minute + $0 * second })
        #expect(taken == [true, false, true, false])
    }

    @Test func aWindowBefore1970IsOneToo() {
        var quota = QuotaWindow(.init(1, per: minute), phase: 20 * second)
        let taken = take(from: &quota, at: [0, 20 * second - 1, 20 * second])
        #expect(taken == [true, false, true])
    }

    /// What becomes of messages to devices, at these times in seconds.
    private func count(
        _ messages: [(device: UInt64, seconds: Int64)],
        in table: inout DeviceTable,
        isCollapsible: Bool = false
    ) -> [DeviceTable.Verdict] {
        var verdicts: [DeviceTable.Verdict] = []
        for message in messages {
            let now = message.seconds * second
            verdicts.append(table.count(message.device, isCollapsible: isCollapsible, at: now))
        }
        return verdicts
    }

    @Test func aDeviceMayHave240AMinuteAnd5000AnHour() {
        var table = DeviceTable(.fcm, capacity: 8)
        for round in 0..<20 {
            let messages = Array(repeating: (device: UInt64(1), seconds: Int64(60 * round)), count: 241)
            let verdicts = count(messages, in: &table)
            #expect(verdicts.dropLast().allSatisfy { $0 == .allowed })
            #expect(verdicts.last == .exceeded)
        }
        let rest = count(Array(repeating: (1, 1200), count: 201), in: &table)
        #expect(rest.filter { $0 == .allowed }.count == 200)
        #expect(count([(1, 1260), (2, 1260), (1, 3600)], in: &table) == [.exceeded, .allowed, .allowed])
    }

    /// 20 at once, and then one in three minutes; the others are taken and held back.
    @Test func collapsibleMessagesAreDelayed() {
        var table = DeviceTable(.fcm, capacity: 8)
        let burst = Array(repeating: DeviceTable.Verdict.allowed, count: 20)
        let first = count(Array(repeating: (1, 0), count: 21), in: &table, isCollapsible: true)
        #expect(first == burst + [.delayed])
        #expect(count([(1, 0)], in: &table) == [.allowed])
        let later = count([(1, 179), (1, 180), (1, 180)], in: &table, isCollapsible: true)
        #expect(later == [.delayed, .allowed, .delayed])
        // An hour fills the bucket.
        let full = count(Array(repeating: (1, 3780), count: 21), in: &table, isCollapsible: true)
        #expect(full == burst + [.delayed])
    }

    /// Where many devices share few places, the one that was met longest ago is forgotten.
    @Test func memoryIsBounded() {
        #expect(DeviceTable.bytesPerDevice <= 64)
        var table = DeviceTable(DeviceLimits(short: .init(1, per: minute)), capacity: 8)
        let eight = (1...8).map { (device: UInt64($0), seconds: Int64($0)) }
        #expect(count(eight, in: &table) == Array(repeating: .allowed, count: 8))
        #expect(count([(1, 10), (9, 11), (1, 12)], in: &table) == [.exceeded, .allowed, .exceeded])
        #expect(count([(2, 13)], in: &table) == [.allowed])
    }

    @Test func limitsMayBeScaledDown() {
        var table = DeviceTable(DeviceLimits(short: .init(2, per: second / 10)), capacity: 8)
        var verdicts: [DeviceTable.Verdict] = []
        for milliseconds in [0, 1, 2, 99, 100] as [Int64] {
            verdicts.append(table.count(1, isCollapsible: true, at: milliseconds * 1_000_000))
        }
        #expect(verdicts == [.allowed, .allowed, .exceeded, .exceeded, .allowed])
    }
}
