/// A fleet to send to, generated or read from a file: whoever sends need not care which.
///
/// Not an enum, whose payload would be retained and released on every access: a worker asks for a device per push,
/// and the count of references is shared by all workers. For the same reason the calls that are made per push go
/// through references that are not counted; `seeded` and `listed` keep what they refer to alive.
package struct FleetSource: Sendable {
    private let seeded: Fleet?
    private let listed: CSVFleet?
    private let uncountedSeeded: Unmanaged<Fleet>?
    private let uncountedListed: Unmanaged<CSVFleet>?

    /// A generated fleet.
    package init(_ fleet: Fleet) {
        seeded = fleet
        listed = nil
        uncountedSeeded = Unmanaged.passUnretained(fleet)
        uncountedListed = nil
    }

    /// A fleet read from a file.
    package init(_ fleet: CSVFleet) {
        seeded = nil
        listed = fleet
        uncountedSeeded = nil
        uncountedListed = Unmanaged.passUnretained(fleet)
    }

    /// The generated fleet, where there is no listed one.
    @inline(__always)
    private var generated: Fleet {
        guard let seeded else { preconditionFailure("a fleet source without a fleet") }
        return seeded
    }

    /// Asks whichever fleet there is, without counting references.
    @inline(__always)
    private func ask<Answer>(seeded: (Fleet) -> Answer, listed: (CSVFleet) -> Answer) -> Answer {
        if let uncountedSeeded { return uncountedSeeded._withUnsafeGuaranteedRef(seeded) }
        guard let uncountedListed else { preconditionFailure("a fleet source without a fleet") }
        return uncountedListed._withUnsafeGuaranteedRef(listed)
    }

    /// Whether the fleet was read from a file.
    package var isListed: Bool { listed != nil }

    /// How many devices there are.
    package var size: UInt64 {
        if let listed { return listed.size }
        return generated.size
    }

    /// The apps' topics, to which ``Device/app`` is an index.
    package var apps: [String] {
        if let listed { return listed.apps }
        return generated.specification.apps.map(\.topic)
    }

    /// How many devices the lane has.
    package func laneCount(_ lane: FleetLane) -> UInt64 {
        if let listed { return listed.laneCount(lane) }
        return generated.laneCount(lane)
    }

    /// The device at a position of the fleet, 0 up to its size.
    package func device(at position: UInt64) -> Device {
        if let listed { return listed.device(atRow: position) }
        return generated.device(at: position)
    }

    /// The lane's device number `ordinal`, starting again from the lane's first device after its last.
    ///
    /// - Precondition: the lane has devices.
    package func device(lane: FleetLane, ordinal: UInt64) -> Device {
        ask {
            $0.device(lane: lane, ordinal: ordinal)
        } listed: {
            $0.device(lane: lane, ordinal: ordinal)
        }
    }

    /// The lane's device number `ordinal`, for whoever has asked for its index before; cheaper than without.
    ///
    /// - Parameter index: what ``deviceIndex(lane:ordinal:)`` gave for the same lane and number.
    package func device(lane: FleetLane, ordinal: UInt64, index: UInt64) -> Device {
        ask {
            $0.device(lane: lane, index: index)
        } listed: {
            $0.device(lane: lane, ordinal: ordinal)
        }
    }

    /// The index of the lane's device number `ordinal`: what identifies the device in a plan.
    ///
    /// - Precondition: the lane has devices.
    package func deviceIndex(lane: FleetLane, ordinal: UInt64) -> UInt64 {
        ask {
            $0.deviceIndex(lane: lane, ordinal: ordinal)
        } listed: {
            $0.device(lane: lane, ordinal: ordinal).index
        }
    }

    /// The lane of the device at a position of the fleet, and the device's number within the lane.
    ///
    /// - Precondition: `position` is below ``size``.
    package func place(at position: UInt64) -> (lane: FleetLane, ordinal: UInt64) {
        if let listed { return listed.place(atRow: position) }
        precondition(position < size, "device \(position) is beyond the fleet")
        return (generated.interleaving.lane(of: position), generated.interleaving.ordinal(of: position))
    }

    /// Writes a device's token in ASCII.
    ///
    /// - Parameters:
    ///   - device: a device of this fleet.
    ///   - buffer: memory of at least ``Fleet/maximumTokenLength`` bytes; what follows the token may be overwritten.
    /// - Returns: the token's length, which is ``Device/tokenLength``.
    package func writeToken(of device: Device, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        ask {
            $0.writeToken(of: device, into: buffer)
        } listed: {
            $0.writeToken(of: device, into: buffer)
        }
    }

    /// What a device's token is: whether it would address a real device, above all.
    package func tokenKind(of device: Device) -> TokenKind {
        if let listed { return listed.tokenKind(of: device) }
        return device.defect == .malformed ? .misshapen : .synthetic
    }
}
