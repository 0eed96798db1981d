/// How many messages one device may get.
package struct DeviceLimits: Sendable, Equatable {
    /// A token bucket: so many at once, and one more each interval.
    package struct Bucket: Sendable, Equatable {
        package var burst: Int
        /// In nanoseconds.
        package var interval: Int64

        package init(burst: Int, interval: Int64) {
            self.burst = burst
            self.interval = interval
        }
    }

    /// The limit over a short time; a device's window begins with its first message.
    package var short: QuotaWindow.Limit
    /// The limit over a long time; nil for none.
    package var long: QuotaWindow.Limit?
    /// Messages that replace one another; those above it are held back, not refused; nil for no limit.
    package var collapsible: Bucket?

    package init(short: QuotaWindow.Limit, long: QuotaWindow.Limit? = nil, collapsible: Bucket? = nil) {
        self.short = short
        self.long = long
        self.collapsible = collapsible
    }

    /// FCM's for Android: 240 a minute and 5,000 an hour; of collapsible ones 20 at once, then one in three minutes.
    ///
    /// Source: Firebase, "Throttling and quotas".
    package static let fcm = DeviceLimits(
        short: .init(240, per: 60_000_000_000),
        long: .init(5000, per: 3_600_000_000_000),
        collapsible: .init(burst: 20, interval: 180_000_000_000)
    )
}

/// What devices have had lately: 32 bytes for each, in memory taken once.
///
/// Open addressing over a fixed number of places. A device can lie in one of eight places after that of its hash; when
/// all are taken, it gets the place of the device that was met longest ago, whose counts are forgotten. So memory is
/// bounded, and with far more devices than places some get a little more than their limit.
package struct DeviceTable: Sendable {
    /// Times are milliseconds from the table's beginning, which wrap around after seven weeks.
    private struct Entry: Sendable, BitwiseCopyable {
        /// 0 for a free place.
        var device: UInt64 = 0
        var shortStart: UInt32 = 0
        var shortCount: UInt32 = 0
        var longStart: UInt32 = 0
        var longCount: UInt32 = 0
        /// When the bucket of collapsible messages is full again.
        var fullAt: UInt32 = 0
        var metAt: UInt32 = 0
    }

    package enum Verdict: Equatable {
        case allowed
        /// Taken, but held back by the service.
        case delayed
        case exceeded
    }

    /// The bytes that one device costs.
    static var bytesPerDevice: Int { MemoryLayout<Entry>.stride }

    /// The limits in the table's own units.
    private struct Rules: Sendable {
        let shortMost: UInt32
        let shortLength: UInt32
        let longMost: UInt32
        let longLength: UInt32
        let interval: UInt32
        /// The debt at which the bucket of collapsible messages is empty.
        let mostDebt: Int64

        init(_ limits: DeviceLimits) {
            shortMost = UInt32(clamping: limits.short.most)
            shortLength = Self.milliseconds(limits.short.window)
            longMost = UInt32(clamping: limits.long?.most ?? .max)
            longLength = Self.milliseconds(limits.long?.window ?? 1)
            interval = Self.milliseconds(limits.collapsible?.interval ?? 1)
            mostDebt = limits.collapsible.map { Int64($0.burst) * Int64(Self.milliseconds($0.interval)) } ?? .max
        }

        /// At least one, and short enough for differences of wrapped times to have a sign.
        private static func milliseconds(_ nanoseconds: Int64) -> UInt32 {
            UInt32(clamping: min(max(1, nanoseconds / 1_000_000), Int64(Int32.max)))
        }

        @inline(__always)
        func take(_ entry: inout Entry, isCollapsible: Bool, at time: UInt32) -> Verdict {
            entry.metAt = time
            if time &- entry.shortStart >= shortLength { (entry.shortStart, entry.shortCount) = (time, 0) }
            if time &- entry.longStart >= longLength { (entry.longStart, entry.longCount) = (time, 0) }
            guard entry.shortCount < shortMost, entry.longCount < longMost else { return .exceeded }
            entry.shortCount &+= 1
            entry.longCount &+= 1
            guard isCollapsible, mostDebt < .max else { return .allowed }
            // The bucket's debt is the time until it is full; each message adds an interval to it.
            let debt = max(0, Int32(bitPattern: entry.fullAt &- time))
            if Int64(debt) + Int64(interval) > mostDebt { return .delayed }
            entry.fullAt = time &+ UInt32(debt) &+ interval
            return .allowed
        }
    }

    private static let reach = 8

    private let rules: Rules
    private let capacity: Int
    private var beginning: Int64?
    private var entries: [Entry] = []

    /// A table for `capacity` devices, rounded up to a power of two; its memory is taken with the first device.
    package init(_ limits: DeviceLimits, capacity: Int) {
        precondition(capacity > 0, "a table for \(capacity) devices")
        rules = Rules(limits)
        var rounded = Self.reach
        while rounded < capacity { rounded *= 2 }
        self.capacity = rounded
    }

    /// Counts a message for a device if its limits allow one at `now`, in nanoseconds.
    package mutating func count(_ device: UInt64, isCollapsible: Bool, at now: Int64) -> Verdict {
        if entries.isEmpty { entries = Array(repeating: Entry(), count: capacity) }
        let start = beginning ?? now
        beginning = start
        let time = UInt32(truncatingIfNeeded: (now &- start) / 1_000_000)
        return entries.withUnsafeMutableBufferPointer { [rules] entries in
            // 0 stands for a free place.
            let place = Self.place(of: max(1, device), in: entries, at: time)
            return rules.take(&entries[place], isCollapsible: isCollapsible, at: time)
        }
    }

    private static func place(
        of device: UInt64,
        in entries: UnsafeMutableBufferPointer<Entry>,
        at time: UInt32
    ) -> Int {
        let mask = entries.count - 1
        let first = Int(truncatingIfNeeded: device)
        var oldest = first & mask
        for step in 0..<reach {
            let place = (first &+ step) & mask
            if entries[place].device == device { return place }
            if entries[place].device == 0 {
                oldest = place
                break
            }
            if time &- entries[place].metAt > time &- entries[oldest].metAt { oldest = place }
        }
        entries[oldest] = Entry(device: device, shortStart: time, longStart: time, fullAt: time, metAt: time)
        return oldest
    }
}
