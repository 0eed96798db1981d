/// One operation whose cost is of interest.
///
/// Each has a file of its own in `Benchmarks`. `init` prepares everything, so that `run` performs the operation and nothing else: it is timed in one pass and its
/// allocations are counted in another.
protocol Benchmark: SendableMetatype {
    /// `room/operation`, such as `histogram/record`: what `--filter` looks in.
    static var name: String { get }

    /// Prepares the operation; throws what its room throws.
    init() throws

    /// Performs the operation `count` times.
    ///
    /// The result must depend on all of the work, so that the optimiser cannot leave any of it out.
    mutating func run(_ count: Int) -> UInt64

    /// How many allocations a C library has made for it so far; 0 where the library's cannot be told from ours.
    var libraryAllocations: UInt64 { get }
}

extension Benchmark {
    var libraryAllocations: UInt64 { 0 }
}

/// Every benchmark, in the order of the output.
let benchmarks: [any Benchmark.Type] = [
    HistogramRecord.self,
    HistogramMerge.self,
    RecordClocks.self,
    APNsDevice.self,
    FCMDevice.self,
    CachedToken.self,
    SignES256.self,
    SignRS256.self,
    VerifyES256.self,
    APNsIDText.self,
    FCMBody.self,
    ReasonOfRefusal.self,
    ClientRequest.self,
    SessionRoundTrip.self,
    DirectRoundTrip.self,
    CannedRoundTrip.self,
]
