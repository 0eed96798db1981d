import Testing

@testable import Fleet

@Suite struct LaneInterleavingTests {
    static let mixes: [(Double, Double, Double)] = [
        (45, 5, 50), (1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0.5, 0), (0.4321, 0.0001, 0.5678), (2, 3, 0),
        (0, 99, 1), (0.9999, 0, 0.0001),
    ]
    static let sizes: [UInt64] = [1, 2, 3, 19, 20, 21, 1000, 9_999, 10_000, 10_001, 34_567]

    @Test(arguments: mixes)
    func everyBlockHoldsTheExactMix(mix: (Double, Double, Double)) throws {
        let weights = try Fixture.weights(mix.0, mix.1, mix.2)
        let interleaving = LaneInterleaving(weights: weights, size: 100_000, key: 7)
        let block = UInt64(weights.total)
        for start in stride(from: 0, through: 3 * block, by: Int(block)) {
            var counts = PerLane(repeating: 0)
            for index in start..<start + block { counts[interleaving.lane(of: index)] += 1 }
            for lane in FleetLane.allCases { #expect(counts[lane] == weights[lane]) }
        }
    }

    @Test(arguments: mixes, sizes)
    func lanesDivideTheFleet(mix: (Double, Double, Double), size: UInt64) throws {
        let weights = try Fixture.weights(mix.0, mix.1, mix.2)
        let interleaving = LaneInterleaving(weights: weights, size: size, key: size &* 31)
        var seen = [Bool](repeating: false, count: Int(size))
        for lane in FleetLane.allCases {
            for ordinal in 0..<interleaving.counts[lane] {
                let index = interleaving.index(lane: lane, ordinal: ordinal)
                guard index < size, !seen[Int(index)], interleaving.lane(of: index) == lane,
                    interleaving.ordinal(of: index) == ordinal
                else {
                    Issue.record("\(lane.name) \(ordinal) of \(size) is \(index)")
                    return
                }
                seen[Int(index)] = true
            }
        }
        #expect(!seen.contains(false))
    }

    @Test func lanesDivideALargeFleetAtBothEnds() throws {
        let size: UInt64 = 999_999_999_983
        let interleaving = LaneInterleaving(weights: .mixed, size: size, key: 3)
        let counts = interleaving.counts
        #expect(counts.apnsProduction + counts.apnsSandbox + counts.fcm == size)
        for lane in FleetLane.allCases {
            var indices: Set<UInt64> = []
            for ordinal in counts[lane] - 1000..<counts[lane] {
                let index = interleaving.index(lane: lane, ordinal: ordinal)
                #expect(index < size && interleaving.lane(of: index) == lane)
                indices.insert(index)
            }
            #expect(indices.count == 1000)
        }
    }

    @Test func ordinalsStartAgainAfterTheLast() throws {
        let fleet = try Fixture.fleet(size: 1234)
        for lane in FleetLane.allCases {
            let count = fleet.laneCount(lane)
            let round = (0..<count).map { fleet.deviceIndex(lane: lane, ordinal: $0) }
            #expect((0..<count).map { fleet.deviceIndex(lane: lane, ordinal: $0 + count) } == round)
            #expect((0..<count).map { fleet.deviceIndex(lane: lane, ordinal: $0 + 1_000_000 * count) } == round)
        }
    }

    @Test func blocksDiffer() {
        let interleaving = LaneInterleaving(weights: .mixed, size: 1_000_000, key: 5)
        let blocks = (0..<UInt64(100)).map { block in (0..<20).map { interleaving.lane(of: block * 20 + $0) } }
        #expect(Set(blocks).count == 20)
    }

    @Test func noLaneComesInLongRuns() {
        let interleaving = LaneInterleaving(weights: .mixed, size: 100_000, key: 5)
        var longest = 0
        var run = 0
        for index in UInt64(1)..<100_000 {
            run = interleaving.lane(of: index) == interleaving.lane(of: index - 1) ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(longest < 6)
    }
}
