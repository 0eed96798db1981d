import CJemalloc

/// Counts every successful allocation of this process since its start: `malloc` and relatives, Swift's included.
///
/// Exact, not sampled. A `realloc` counts when it moves the memory. jemalloc keeps a count per thread until that thread
/// flushes its cache or ends, so the count is exact for the calling thread and for every other one that has called
/// `flushThread` (or has ended) and has not allocated since. A new thread itself costs one or two allocations.
///
/// Not for timed stretches: reading takes microseconds, and a flushed cache makes the next allocations slower.
package struct AllocationCounter: Sendable {
    private let flush: JemallocControl
    private let epoch: JemallocControl
    private let small: JemallocControl
    private let large: JemallocControl

    /// Looks the statistics up; what this allocates itself is over before the first `read`.
    ///
    /// - Throws: `statistic` when jemalloc was built without statistics.
    package init() throws(ResourceError) {
        let allArenas = "stats.arenas.\(MALLCTL_ARENAS_ALL)"
        flush = try JemallocControl("thread.tcache.flush")
        epoch = try JemallocControl("epoch")
        small = try JemallocControl("\(allArenas).small.nrequests")
        large = try JemallocControl("\(allArenas).large.nrequests")
    }

    /// Hands what the calling thread has counted over to the process-wide count; for each worker before it reports.
    package func flushThread() {
        flush.perform()
    }

    /// Allocations of the whole process so far, after flushing the calling thread.
    ///
    /// Allocates nothing itself. Only differences mean something: the start of a process allocates too.
    package func read() -> UInt64 {
        flush.perform()
        // Statistics are a copy that is refreshed by writing to the epoch.
        epoch.write(1)
        return small.read() + large.read()
    }
}

/// Bytes that the calling thread has ever asked for and given back, as sizes of jemalloc's classes: 100 counts as 112.
///
/// Cheap (one call, no flush) and exact, for the calling thread only.
package struct ThreadAllocation: Sendable, Equatable {
    package var allocatedBytes: UInt64
    package var freedBytes: UInt64

    /// The calling thread's counts now; 0 when `Allocator.isJemalloc` is false.
    package static func now() -> ThreadAllocation {
        ThreadAllocation(
            allocatedBytes: JemallocControl.threadCounter("thread.allocatedp") ?? 0,
            freedBytes: JemallocControl.threadCounter("thread.deallocatedp") ?? 0
        )
    }
}
