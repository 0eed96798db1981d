package import LoadPlan

/// Keeps the pushes to each single device below a service's limits.
///
/// FCM allows a device 240 messages a minute and 5,000 an hour; of collapsible messages 20 at once and then one in three
/// minutes (Firebase, "Throttling and quotas"). The keeper remembers a bounded number of devices: where more are sent to at
/// the same time, those that were sent to longest ago are forgotten, and may then get more than they should. One device is
/// always one worker's in an open loop over a fleet, so the limits are not divided.
package struct DeviceQuota: Sendable {
    private struct Count: Sendable {
        var start: Int64 = 0
        var used: Int32 = 0
    }

    private struct Entry: Sendable {
        /// The device's index plus one; 0 for a free place.
        var device: UInt64 = 0
        var lastUse = Int64.min
        var first = Count()
        var second = Count()
        /// When the device's next collapsible message would go at an even pace.
        var collapsible = Int64.min
    }

    /// Places that a device may be remembered in.
    private static let ways = 4

    private let first: DeviceLimit?
    private let second: DeviceLimit?
    private let collapsible: CollapsibleLimit?
    private let sets: Int
    private var entries: [Entry]

    package init(_ section: QuotaSection) {
        first = section.perDevice.first
        second = section.perDevice.count > 1 ? section.perDevice[1] : nil
        collapsible = section.collapsible
        let isActive = !section.perDevice.isEmpty || section.collapsible != nil
        sets = isActive ? max(1, section.devices / Self.ways) : 0
        entries = Array(repeating: Entry(), count: sets * Self.ways)
    }

    /// Whether pushes ever have to wait.
    package var isActive: Bool { sets > 0 }

    /// Asks for one push: the time from which it may go; at or before `now` it was given and counts for its device.
    package mutating func take(device: UInt64, isCollapsible: Bool, at now: Int64) -> Int64 {
        let place = place(of: device, at: now)
        var entry = entries[place]
        var from = now
        if let first { from = max(from, Self.opening(&entry.first, first, at: now)) }
        if let second { from = max(from, Self.opening(&entry.second, second, at: now)) }
        if isCollapsible, let collapsible {
            from = max(from, entry.collapsible &- Int64(collapsible.burst - 1) * collapsible.every, now)
        }
        if from <= now {
            entry.first.used += 1
            entry.second.used += 1
            if isCollapsible, let collapsible { entry.collapsible = max(entry.collapsible, now) + collapsible.every }
        }
        entry.lastUse = now
        entries[place] = entry
        return from
    }

    /// When a window that began with the device's first push has room.
    private static func opening(_ count: inout Count, _ limit: DeviceLimit, at now: Int64) -> Int64 {
        if count.used == 0 || now - count.start >= limit.per { count = Count(start: now) }
        return Int(count.used) < limit.limit ? now : count.start + limit.per
    }

    /// The device's place, or that of the one of its set which was sent to longest ago, emptied.
    private mutating func place(of device: UInt64, at now: Int64) -> Int {
        let begin = Int(scramble(device) % UInt64(sets)) * Self.ways
        var oldest = begin
        for place in begin..<begin + Self.ways {
            if entries[place].device == device + 1 { return place }
            if entries[place].lastUse < entries[oldest].lastUse { oldest = place }
        }
        entries[oldest] = Entry(device: device + 1)
        entries[oldest].collapsible = now
        return oldest
    }
}
