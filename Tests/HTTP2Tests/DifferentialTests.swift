import Testing

@testable import HTTP2

/// Both client sessions get the same requests and the same bytes from one seeded server, and must say the same.
///
/// What is compared after every frame: per request the events in their order, the events of the connection, and the
/// meaning of what was sent: header fields, bodies, RST_STREAM, acknowledgements, and the GOAWAY's code. Where nghttp2
/// and the RFC part (see `ConformanceCase`), comparing ends.
@Suite struct DifferentialTests {
    /// Frames in all; scripts for the night set the variable to more.
    private static let steps = Environment.number("PUSHBENCH_DIFFERENTIAL_STEPS") ?? 100_000

    @Test(arguments: [0, 400, 40, 8])
    func bothSaySame(breakage: Int) throws {
        var steps = 0
        var seed = UInt64(breakage)
        var results = (same: 0, parted: 0)
        while steps < Self.steps / 4 {
            seed += 1000
            let run = try DifferentialRun(seed: seed, breakage: breakage)
            switch try run.play(steps: 60) {
            case .same: results.same += 1
            case .parted: results.parted += 1
            case .different(let what):
                Issue.record("breakage \(breakage), seed \(seed), step \(run.step), after \(run.latest): \(what)")
                return
            }
            steps += run.step
        }
        // A lawful server leaves nothing to part over, a broken one little.
        #expect(breakage == 0 ? results.parted == 0 : results.parted * 4 < results.same)
    }

    /// Conversations in which the sessions once said different things.
    @Test(arguments: [
        // The same GOAWAY twice in one piece.
        (seed: UInt64(13_971_008), breakage: 8),
        // A push that is taken back in the middle of a malformed header block.
        (seed: 32_221_008, breakage: 8),
        // Too much padding in the DATA of a stream that was reset.
        (seed: 49_610_008, breakage: 8),
        // Empty DATA before the response's HEADERS.
        (seed: 69_300_008, breakage: 8),
        // DATA without its pad length, in a stream that was reset.
        (seed: 74_213_008, breakage: 8),
    ])
    func onceDifferent(seed: UInt64, breakage: Int) throws {
        if case .different(let what) = try DifferentialRun(seed: seed, breakage: breakage).play(steps: 60) {
            Issue.record("\(what)")
        }
    }
}
