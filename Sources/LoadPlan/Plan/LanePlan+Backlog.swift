extension LanePlan {
    /// How many pushes may wait: as many as the lane's busiest seconds plan in so many nanoseconds, all that a closed loop
    /// keeps in flight, and at least a thousand.
    package func backlogCapacity(lasting backlog: Int64) -> Int {
        let seconds = UInt64((backlog + Nanoseconds.second - 1) / Nanoseconds.second)
        let total = open.reduce(0) { $0 + $1.pacer.count }
        var (busiest, before, second) = (UInt64(0), UInt64(0), Int64(0))
        while before < total {
            second += 1
            let now = count(atElapsed: second * Nanoseconds.second)
            busiest = max(busiest, now - before)
            before = now
        }
        let inFlight = closed.map(\.inFlight).max() ?? 0
        return max(1000, Int(clamping: busiest * seconds), inFlight)
    }
}
