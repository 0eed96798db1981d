/// What a fleet, or a stretch of it, is made of: counts of everything that tells devices apart.
package struct FleetMix: Sendable, Equatable {
    /// Devices by lane and defect.
    private var defects = [UInt64](repeating: 0, count: FleetLane.allCases.count * Self.defectCount)
    /// Devices by lane and token length.
    private var lengths = [UInt64](repeating: 0, count: FleetLane.allCases.count * Self.lengthCount)
    private var apps: [UInt64]
    private var kinds = [UInt64](repeating: 0, count: TokenKind.allCases.count)

    private static let defectCount = Defect.allCases.count
    private static let lengthCount = Fleet.maximumTokenLength + 1

    /// All devices counted.
    package private(set) var size: UInt64 = 0

    /// Nothing counted yet.
    ///
    /// - Parameter apps: how many apps the fleet has.
    package init(apps: Int) { self.apps = [UInt64](repeating: 0, count: apps) }

    /// Counts the devices at some positions of a fleet.
    package init(of fleet: FleetSource, positions: Range<UInt64>) {
        self.init(apps: fleet.apps.count)
        for position in positions {
            let device = fleet.device(at: position)
            add(device, tokenKind: fleet.tokenKind(of: device))
        }
    }

    /// Counts a device.
    package mutating func add(_ device: Device, tokenKind: TokenKind) {
        size += 1
        defects[Self.place(device.lane, device.defect)] += 1
        lengths[Int(device.lane.rawValue) * Self.lengthCount + device.tokenLength] += 1
        apps[device.app] += 1
        kinds[Int(tokenKind.rawValue)] += 1
    }

    @inline(__always)
    private static func place(_ lane: FleetLane, _ defect: Defect) -> Int {
        Int(lane.rawValue) * defectCount + Int(defect.rawValue)
    }

    /// Devices of a lane.
    package func count(_ lane: FleetLane) -> UInt64 { Defect.allCases.reduce(0) { $0 + count(lane, $1) } }

    /// Devices of a lane with a defect.
    package func count(_ lane: FleetLane, _ defect: Defect) -> UInt64 { defects[Self.place(lane, defect)] }

    /// Devices of all lanes with a defect.
    package func count(_ defect: Defect) -> UInt64 { FleetLane.allCases.reduce(0) { $0 + count($1, defect) } }

    /// Devices that have an app, given by its index.
    package func count(app: Int) -> UInt64 { apps[app] }

    /// Devices whose token is of a kind.
    package func count(_ kind: TokenKind) -> UInt64 { kinds[Int(kind.rawValue)] }

    /// A lane's shortest and longest token and the characters of all its tokens; nil if the lane has no devices.
    package func tokenLengths(_ lane: FleetLane) -> (shortest: Int, longest: Int, characters: UInt64)? {
        let start = Int(lane.rawValue) * Self.lengthCount
        let counts = Array(lengths[start..<start + Self.lengthCount])
        guard let shortest = counts.firstIndex(where: { $0 > 0 }), let longest = counts.lastIndex(where: { $0 > 0 })
        else { return nil }
        var characters: UInt64 = 0
        for length in shortest...longest { characters += UInt64(length) * counts[length] }
        return (shortest, longest, characters)
    }
}
