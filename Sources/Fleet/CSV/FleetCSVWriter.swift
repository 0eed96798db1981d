/// Writes devices as rows of a fleet file.
///
/// No field ever needs quotes: apps and tokens are checked to be plain when a fleet is made. Lines end in LF. The
/// environment of FCM devices is left empty, since FCM has none.
package struct FleetCSVWriter {
    /// The first line.
    package static let header: [UInt8] =
        Array((FleetCSVColumn.allCases.map(\.name).joined(separator: ",") + "\n").utf8)

    private let fleet: FleetSource
    /// For each lane and app, what stands between index and token.
    private let middles: PerLane<[[UInt8]]>
    private let ends: [[UInt8]]
    /// Where a row is put together: it holds the longest.
    private var row: [UInt8]

    /// The digits of the largest index.
    private static let mostDigits = 20

    package init(_ fleet: FleetSource) {
        self.fleet = fleet
        func middles(_ lane: FleetLane) -> [[UInt8]] {
            let environment = lane == .fcm ? "" : lane.environment.name
            return fleet.apps.map { Array(",\(lane.provider.name),\(environment),\($0),".utf8) }
        }
        self.middles = PerLane(
            apnsProduction: middles(.apnsProduction),
            apnsSandbox: middles(.apnsSandbox),
            fcm: middles(.fcm)
        )
        ends = Defect.allCases.map { Array(",\($0.name)\n".utf8) }
        let longest = ([middles(.apnsProduction), middles(.apnsSandbox)].joined() + ends).map(\.count).max() ?? 0
        row = [UInt8](repeating: 0, count: Self.mostDigits + Fleet.maximumTokenLength + 2 * longest)
    }

    /// Appends a device's row.
    package mutating func append(_ device: Device, to file: inout [UInt8]) {
        let middle = middles[device.lane][device.app]
        let end = ends[Int(device.defect.rawValue)]
        let fleet = fleet
        row.withUnsafeMutableBytes { row in
            // Backwards from where the middle starts, which leaves room for the longest index.
            var start = Self.mostDigits
            var rest = device.index
            repeat {
                start -= 1
                row[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            UnsafeMutableRawBufferPointer(rebasing: row[Self.mostDigits...]).copyBytes(from: middle)
            var count = Self.mostDigits + middle.count
            count += fleet.writeToken(of: device, into: UnsafeMutableRawBufferPointer(rebasing: row[count...]))
            UnsafeMutableRawBufferPointer(rebasing: row[count...]).copyBytes(from: end)
            file.append(contentsOf: UnsafeRawBufferPointer(rebasing: row[start..<count + end.count]))
        }
    }
}
