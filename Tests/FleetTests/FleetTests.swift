import Testing

@testable import Fleet

/// Whether a count lies within five standard deviations of what independent draws would give.
func isWithinSamplingError(_ count: Int, of total: UInt64, share: Double) -> Bool {
    let expected = Double(total) * share
    return abs(Double(count) - expected) <= 5 * (expected * (1 - share)).squareRoot()
}

@Suite struct FleetTests {
    @Test func aDeviceIsTheSameInWhateverOrderItIsAskedFor() throws {
        let one = try Fixture.fleet(size: 5000, longTokenShare: 0.1, longestToken: 100, defects: Fixture.everyDefect)
        let two = try Fixture.fleet(size: 5000, longTokenShare: 0.1, longestToken: 100, defects: Fixture.everyDefect)
        let upwards = (0..<5000).map { one.device(at: $0) }
        let downwards = (0..<5000).reversed().map { two.device(at: $0) }
        #expect(upwards == downwards.reversed())
        #expect(upwards.map { token(of: $0, in: two) } == upwards.map { token(of: $0, in: one) })
    }

    @Test func theFleetsSizeDoesNotChangeItsDevices() throws {
        let small = try Fixture.fleet(size: 1000, defects: Fixture.everyDefect)
        let large = try Fixture.fleet(size: 1_000_000_000, defects: Fixture.everyDefect)
        #expect((0..<UInt64(1000)).map { small.device(at: $0) } == (0..<UInt64(1000)).map { large.device(at: $0) })
    }

    @Test func anotherSeedIsAnotherFleet() throws {
        let one = try Fixture.fleet(seed: 1, size: 1000)
        let two = try Fixture.fleet(seed: 2, size: 1000)
        let common = (0..<UInt64(1000))
            .count {
                token(of: one.device(at: $0), in: one) == token(of: two.device(at: $0), in: two)
            }
        #expect(common == 0)
    }

    @Test func laneAndOrdinalGiveTheDeviceAtThatIndex() throws {
        let fleet = try Fixture.fleet(size: 1234, defects: Fixture.everyDefect)
        for lane in FleetLane.allCases {
            let different = (0..<fleet.laneCount(lane))
                .filter { ordinal in
                    let device = fleet.device(lane: lane, ordinal: ordinal)
                    return device != fleet.device(at: fleet.deviceIndex(lane: lane, ordinal: ordinal))
                        || device.lane != lane
                }
            #expect(different == [])
        }
    }

    @Test(arguments: Defect.allCases)
    func sharesOfDefectsAreAsAsked(defect: Defect) throws {
        let fleet = try Fixture.fleet(size: 100_000, defects: Fixture.everyDefect)
        for lane in FleetLane.allCases where defect != .none {
            let count = (0..<fleet.laneCount(lane)).count { fleet.device(lane: lane, ordinal: $0).defect == defect }
            let share = defect.applies(to: lane.provider) ? Fixture.everyDefect[defect] : 0
            #expect(isWithinSamplingError(count, of: fleet.laneCount(lane), share: share))
        }
    }

    @Test func sharesOfAppsAreAsAsked() throws {
        let fleet = try Fixture.fleet(size: 100_000)
        for lane in FleetLane.allCases {
            let count = (0..<fleet.laneCount(lane)).count { fleet.device(lane: lane, ordinal: $0).app == 0 }
            #expect(isWithinSamplingError(count, of: fleet.laneCount(lane), share: 0.75))
        }
    }

    @Test func defectsDoNotDependOnAppsOrOneAnother() throws {
        let few = try Fixture.fleet(size: 50_000, defects: .init(unregistered: 0.02))
        let more = try Fixture.fleet(size: 50_000, longTokenShare: 0.5, longestToken: 80, defects: Fixture.everyDefect)
        #expect((0..<few.size).map { few.device(at: $0).app } == (0..<few.size).map { more.device(at: $0).app })
        let unregistered = (0..<few.size).filter { few.device(at: $0).defect == .unregistered }
        #expect((0..<few.size).filter { more.device(at: $0).defect == .unregistered } == unregistered)
        let ofFirstApp = unregistered.count { few.device(at: $0).app == 0 }
        #expect(isWithinSamplingError(ofFirstApp, of: UInt64(unregistered.count), share: 0.75))
    }
}
