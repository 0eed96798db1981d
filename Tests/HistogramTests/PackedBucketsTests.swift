import Testing

@testable import Histogram

@Suite("Packed buckets")
struct PackedBucketsTests {
    private static let cases: [[(Int, UInt64)]] = [
        [], [(0, 1)], [(0, 127), (1, 128), (2, 16_383), (3, 16_384)], [(0, 1), (38_121, .max)],
        [(127, 1), (254, 1), (382, 1)], (0..<1000).map { (3 * $0, UInt64($0 + 1)) },
    ]

    @Test("What goes in comes out in order, whatever the distances and counts", arguments: cases.indices)
    func roundTrip(number: Int) {
        let buckets = Self.cases[number]
        var packed = PackedBuckets()
        for (index, count) in buckets { packed.append(index: index, count: count) }
        packed.trim()
        var reader = packed.makeReader()
        for (index, count) in buckets {
            let bucket = reader.next()
            #expect(bucket?.index == index && bucket?.count == count)
        }
        #expect(reader.next() == nil)
        #expect(packed.first == buckets.first?.0 ?? -1 && packed.last.index == buckets.last?.0 ?? -1)
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
