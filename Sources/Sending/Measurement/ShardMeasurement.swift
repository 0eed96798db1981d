package import LoadPlan

/// What a run knows of itself as one of several shards.
package struct ShardMeasurement: Sendable, Equatable {
    package var shard: Shard
    /// The pushes that all shards plan together; nil where a closed loop has no limit.
    package var plannedByAll: UInt64?
    /// When the last of the shard's workers began, in nanoseconds since 1970 by the clock that shards agree on.
    package var startedAt: Int64
    /// When all shards were to begin, by the same clock; nil where they agreed on nothing.
    package var agreedStart: Int64?
    /// By how much this machine's clock is ahead of the gate's, in nanoseconds; nil without a gate.
    package var aheadOfGate: Int64?
    /// The same for the hosts' clocks, as far as their `date` header tells; nil where none says its time.
    package var aheadOfHosts: Int64?

    package init(_ shard: Shard, startedAt: Int64) {
        self.shard = shard
        self.startedAt = startedAt
    }
}
