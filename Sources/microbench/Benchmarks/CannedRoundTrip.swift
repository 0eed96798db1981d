import HTTP2

/// One push from the direct client session to a canned server session and back, in memory.
struct CannedRoundTrip: Benchmark {
    static let name = "http2/round-trip-canned"

    private let trip: RoundTrip<DirectClientSession, CannedServer>

    init() throws { trip = try RoundTrip() }

    func run(_ count: Int) -> UInt64 { trip.run(count) }

    var libraryAllocations: UInt64 { trip.libraryAllocations }
}
