import Fleet

/// Making one APNs device of a mixed fleet with 2% defects, its token as text included.
struct APNsDevice: Benchmark {
    static let name = "fleet/apns-device"

    private let devices: Devices

    init() throws { devices = try Devices(lane: .apnsProduction) }

    func run(_ count: Int) -> UInt64 { devices.run(count) }
}

/// What the device benchmarks have in common.
struct Devices {
    private let fleet: Fleet
    private let lane: FleetLane
    private let token = Memory(byteCount: Fleet.maximumTokenLength)

    init(lane: FleetLane) throws {
        self.lane = lane
        let defects = FleetSpecification.Defects(
            unregistered: 0.01,
            wrongEnvironment: 0.002,
            malformed: 0.004,
            wrongTopic: 0.002,
            otherSender: 0.002
        )
        fleet = Fleet(try FleetSpecification(seed: 42, size: 1_000_000, defects: defects))
    }

    func run(_ count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for ordinal in 0..<count {
            let device = fleet.device(lane: lane, ordinal: UInt64(ordinal))
            sum &+= UInt64(fleet.writeToken(of: device, into: token.bytes))
            sum &+= UInt64(token.bytes[30])
        }
        return sum
    }
}
