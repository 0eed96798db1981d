import HTTP2

/// One push from nghttp2's client session to a faithful server session and back, in memory.
struct SessionRoundTrip: Benchmark {
    static let name = "http2/round-trip"

    private let trip: RoundTrip<NGHTTP2ClientSession, FaithfulServer>

    init() throws { trip = try RoundTrip() }

    func run(_ count: Int) -> UInt64 { trip.run(count) }

    var libraryAllocations: UInt64 { trip.libraryAllocations }
}
