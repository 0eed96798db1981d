import Resources

/// What one benchmark cost.
struct Measurement: Encodable {
    let name: String

    /// Operations in each timed repeat.
    let operations: Int

    /// CPU time of an operation in the fastest repeat, in nanoseconds: the cost of the code.
    let nanosecondsMinimum: Double

    /// CPU time of an operation in the median repeat, in nanoseconds: the cost on this machine as busy as it is.
    let nanosecondsMedian: Double

    /// Operations per second of CPU time, by the median.
    let operationsPerSecond: Double

    /// Allocations per operation in the whole process; the smallest of three counts.
    let allocations: Double

    /// How many of these the C library made that the operation is done by; known for nghttp2 only.
    let libraryAllocations: Double

    /// Bytes allocated per operation, in jemalloc's size classes; of the same count.
    let bytes: Double
}

/// Runs benchmarks: first timing, then counting, never both at once, since reading the counters disturbs the clock.
struct Harness {
    /// Timed repeats of each benchmark.
    var repeats = 11

    /// CPU time that a repeat is made to take, in nanoseconds.
    var repeatNanoseconds: Int64 = 20_000_000

    private let counter: AllocationCounter

    /// Throws when allocations cannot be counted.
    init() throws(ResourceError) {
        counter = try AllocationCounter()
    }

    /// Prepares a benchmark and measures it.
    func measure<Measured: Benchmark>(_: Measured.Type) throws -> Measurement {
        var benchmark = try Measured()
        let operations = calibrated(&benchmark)
        let times = (0..<repeats).map { _ in Double(time(&benchmark, operations)) / Double(operations) }.sorted()
        let median = times[times.count / 2]
        let counted = Swift.min(operations, 10_000)
        let cost = count(&benchmark, counted)
        return Measurement(
            name: Measured.name,
            operations: operations,
            nanosecondsMinimum: times[0],
            nanosecondsMedian: median,
            operationsPerSecond: median > 0 ? 1e9 / median : 0,
            allocations: Double(cost.allocations) / Double(counted),
            libraryAllocations: Double(cost.libraryAllocations) / Double(counted),
            bytes: Double(cost.bytes) / Double(counted)
        )
    }

    /// How many operations fill a repeat; finding out warms caches and lazy parts up.
    private func calibrated(_ benchmark: inout some Benchmark) -> Int {
        var operations = 1
        while true {
            let nanoseconds = time(&benchmark, operations)
            guard nanoseconds < repeatNanoseconds / 2 else {
                return Swift.max(1, Int(Double(operations) * Double(repeatNanoseconds) / Double(nanoseconds)))
            }
            operations *= 2
        }
    }

    /// Thread CPU time, so that other processes on the same cores do not count.
    private func time(_ benchmark: inout some Benchmark, _ operations: Int) -> Int64 {
        let start = CPUClock.thread()
        let result = benchmark.run(operations)
        let end = CPUClock.thread()
        consume(result)
        return end - start
    }

    private func count(_ benchmark: inout some Benchmark, _ operations: Int) -> AllocationCost {
        var best = AllocationCost(allocations: .max, libraryAllocations: 0, bytes: 0)
        for _ in 0..<3 {
            let libraryBefore = benchmark.libraryAllocations
            let bytesBefore = ThreadAllocation.now().allocatedBytes
            let before = counter.read()
            let result = benchmark.run(operations)
            let allocations = counter.read() - before
            let bytes = ThreadAllocation.now().allocatedBytes - bytesBefore
            consume(result)
            let library = benchmark.libraryAllocations - libraryBefore
            if allocations < best.allocations {
                best = AllocationCost(allocations: allocations, libraryAllocations: library, bytes: bytes)
            }
        }
        return best
    }
}

/// What a number of operations allocated.
private struct AllocationCost {
    let allocations: UInt64
    let libraryAllocations: UInt64
    let bytes: UInt64
}

/// Takes a result without looking at it; the optimiser must assume that it is used.
@inline(never)
@_optimize(none)
private func consume(_: UInt64) {}
