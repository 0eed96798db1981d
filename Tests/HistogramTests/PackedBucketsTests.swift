import Testing

@testable import Histogram

@Suite("Packed buckets")
struct PackedBucketsTests {
    private static let cases: [[(Int, UInt64)]] = [
        [], [(0, 1)], [(0, 63), (1, 64), (2, 8_191), (3, 8_192)], [(0, 1), (38_121, 1 << 63 - 1)],
        [(63, 1), (127, 1), (192, 1)], (0..<1000).map { (3 * $0, UInt64($0 + 1)) },
    ]

    @Test("What goes in comes out in order, whatever the distances and counts", arguments: cases.indices)
    func roundTrip(number: Int) {
        let buckets = Self.cases[number]
        let packed = packedBuckets(buckets)
        var visited: [(Int, UInt64)] = []
        packed.visit { index, count in
            visited.append((index, count))
            return true
        }
        #expect(visited.elementsEqual(buckets, by: ==))
        #expect(packed.first == buckets.first?.0 ?? -1 && packed.last.index == buckets.last?.0 ?? -1)
    }

    @Test("A count that the encoding can't say is kept as the largest that it can")
    func largestCount() {
        let packed = packedBuckets([(7, .max)])
        #expect(packed.last == (7, 1 << 63 - 1))
        packed.visit { index, count in
            #expect(index == 7 && count == 1 << 63 - 1)
            return true
        }
    }

    /// Each list of numbers as an encoder may write it, and how we do.
    @Test(
        "Numbers in any form are read, and kept in ours",
        arguments: [
            // Nothing, and gaps only.
            ([], []), ([0], []), ([-5], []), ([0, 0, -3], []),
            // A gap of one as a run; two gaps; a gap and an empty bucket; one at the end.
            ([-1, 5], [0, 5]), ([-3, -4, 5], [-7, 5]), ([-3, 0, 5], [-4, 5]), ([0, 0, 5], [-2, 5]), ([5, -9], [5]),
            ([5, 0], [5]), ([5, 0, 6], [5, 0, 6]),
            // Long enough for eight at a time, with each of these on either side of a border.
            (
                [1, 2, 3, 4, 5, 6, 7, -1, 9, 10, 11, 12, 13, 14, 15, 16, 17],
                [1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 16, 17]
            ),
            (
                [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 11, 12, 13, 14, 15, 16, 17, 18],
                [1, 2, 3, 4, 5, 6, 7, 8, -2, 11, 12, 13, 14, 15, 16, 17, 18]
            ),
            (
                [1, 2, 3, 4, 5, 6, 7, -8, -9, 10, 11, 12, 13, 14, 15, 16, 17],
                [1, 2, 3, 4, 5, 6, 7, -17, 10, 11, 12, 13, 14, 15, 16, 17]
            ),
            ([1] + [Int64](repeating: 0, count: 20), [1]),
        ] as [([Int64], [Int64])]
    )
    func forms(written: [Int64], kept: [Int64]) throws {
        let (buckets, count) = try checked(bytes(written))
        #expect(buckets.bytes == bytes(kept))
        #expect(count == UInt64(kept.filter { $0 > 0 }.reduce(0, +)))
        var visited: [(Int, UInt64)] = []
        buckets.visit { index, count in
            visited.append((index, count))
            return true
        }
        let again = packedBuckets(visited)
        #expect(again == buckets && again.first == buckets.first && again.last == buckets.last)
    }

    @Test(
        "A number that is longer than it need be is shortened",
        arguments: [[0x82, 0x00], [0x82, 0x80, 0x80, 0x00]]
    )
    func longNumber(encoded: [UInt8]) throws {
        let buckets = try checked(encoded + [4]).buckets
        #expect(buckets.bytes == [2, 4])
    }

    @Test("Random buckets are checked as they were appended, whatever comes eight at a time", arguments: 0..<200)
    func checksWhatItAppends(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var (listed, index, total) = ([(Int, UInt64)](), -1, UInt64(0))
        for _ in 0..<Int.random(in: 1...300, using: &random) {
            index += Int.random(in: 0..<8, using: &random) > 0 ? 1 : Int.random(in: 1...100, using: &random)
            let count = UInt64.random(in: 0..<8, using: &random) > 0 ? UInt64.random(in: 1...63, using: &random) : 5_000
            listed.append((index, count))
            total += count
        }
        let packed = packedBuckets(listed)
        let (buckets, count) = try checked(packed.bytes)
        #expect(buckets == packed && buckets.first == packed.first && buckets.last == packed.last && count == total)
    }

    private func checked(_ bytes: [UInt8]) throws -> (buckets: PackedBuckets, count: UInt64) {
        try bytes.withUnsafeBufferPointer { try PackedBuckets.checked($0) }
    }

    private func bytes(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { HistogramTests.bytes(of: $0) }
    }

    private func packedBuckets(_ buckets: [(Int, UInt64)]) -> PackedBuckets {
        PackedBuckets(upTo: 2 * ZigZag.longest * buckets.count) { writer in
            for (index, count) in buckets { writer.append(index: index, count: count) }
        }
    }

    @Test("Merging snapshots equals the snapshot of the merged histograms, bit for bit")
    func merges() {
        var (left, right, whole) = (Histogram(), Histogram(), Histogram())
        var state: UInt64 = 7
        for number in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Int64(state >> 30)
            if number % 3 == 0 { left.record(value) } else { right.record(value) }
            whole.record(value)
        }
        var merged = SparseHistogram(left)
        merged.merge(SparseHistogram(right))
        #expect(merged == SparseHistogram(whole))
        merged.merge(SparseHistogram())
        #expect(merged == SparseHistogram(whole))
    }

    @Test("A sum of snapshots equals the snapshot of the merged histograms, time and again", arguments: 0..<20)
    func sums(number: Int) {
        var sum = SnapshotSum()
        for round in 0..<5 {
            var whole = Histogram()
            // From none to nine, some of them empty, and some with values above the range.
            for part in 0..<(number + round) % 10 {
                var histogram = Histogram()
                let values = Samples.allCases[(number + part) % Samples.allCases.count].values(part * 37 % 400)
                for value in values { histogram.record(value) }
                if part == 4 { histogram.record(.max, times: 3) }
                sum.add(SparseHistogram(histogram))
                whole.merge(histogram)
            }
            #expect(sum.take() == SparseHistogram(whole))
        }
        #expect(sum.take() == SparseHistogram())
    }
}
