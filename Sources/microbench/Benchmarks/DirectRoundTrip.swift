import HTTP2

/// One push from the direct client session to a faithful server session and back, in memory.
struct DirectRoundTrip: Benchmark {
    static let name = "http2/round-trip-direct"

    private let trip: RoundTrip<DirectClientSession, FaithfulServer>

    init() throws { trip = try RoundTrip() }

    func run(_ count: Int) -> UInt64 { trip.run(count) }

    var libraryAllocations: UInt64 { trip.libraryAllocations }
}
