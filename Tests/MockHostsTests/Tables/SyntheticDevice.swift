import Fleet

/// Devices of a seeded fleet whose one app is `com.example.app` of `example-project`.
enum SyntheticDevice {
    /// The token of the first device of a lane, all of which have that defect.
    static func token(_ defect: Defect, of lane: FleetLane) throws -> String {
        var defects = FleetSpecification.Defects()
        switch defect {
        case .none: break
        case .unregistered: defects.unregistered = 1
        case .wrongEnvironment: defects.wrongEnvironment = 1
        case .malformed: defects.malformed = 1
        case .wrongTopic: defects.wrongTopic = 1
        case .otherSender: defects.otherSender = 1
        }
        let apps = [FleetSpecification.App(topic: "com.example.app")]
        let fleet = Fleet(try FleetSpecification(seed: 7, size: 100, apps: apps, defects: defects))
        let device = fleet.device(lane: lane, ordinal: 0)
        return withUnsafeTemporaryAllocation(byteCount: Fleet.maximumTokenLength, alignment: 8) { buffer in
            String(decoding: buffer.prefix(fleet.writeToken(of: device, into: buffer)), as: UTF8.self)
        }
    }
}
