import Histogram

/// A small seeded generator, SplitMix64, so that every test sees the same values in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// Lists of times of the kinds that runs produce.
enum Samples: String, CaseIterable {
    case latencies, everyMagnitude, smallIntegers, constant, twoPeaks

    func values(_ count: Int, seed: UInt64 = 1) -> [Int64] {
        var random = SplitMix(seed: seed)
        return (0..<count).map { _ in value(&random) }
    }

    private func value(_ random: inout SplitMix) -> Int64 {
        switch self {
        case .latencies: Int64.random(in: 18_000_000...42_000_000, using: &random)
        case .everyMagnitude: Int64(random.next() >> UInt64.random(in: 18...63, using: &random)) % 86_400_000_000_001
        case .smallIntegers: Int64.random(in: 0...3_000, using: &random)
        case .constant: 20_000_000
        case .twoPeaks:
            Bool.random(using: &random) ? 900_000 : Int64.random(in: 2_000_000_000...2_100_000_000, using: &random)
        }
    }
}

extension Histogram {
    init(recording values: some Sequence<Int64>) {
        self.init()
        for value in values { record(value) }
    }

    func encodedV2() -> String { SparseHistogram(self).encodedV2() }
}
