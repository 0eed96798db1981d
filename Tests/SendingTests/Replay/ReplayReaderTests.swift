import Fleet
import LoadPlan
import Testing

@testable import Sending

@Suite("Replay files")
struct ReplayReaderTests {
    private static func fleet(size: UInt64 = 1000) throws -> FleetSource {
        FleetSource(
            Fleet(
                try FleetSpecification(
                    seed: 3,
                    size: size,
                    weights: LaneWeights(shares: PerLane(apnsProduction: 0.5, apnsSandbox: 0.2, fcm: 0.3)),
                    apps: [FleetSpecification.App(topic: "com.example.app", weight: 1)],
                    project: "example-project",
                    longTokenShare: 0,
                    longestToken: 64,
                    defects: FleetSpecification.Defects()
                )
            )
        )
    }

    /// Reads a text in pieces of a size.
    private static func read(_ text: String, pieces: Int = 1 << 20, mostRows: UInt64 = 1000) throws -> [ReplayTimes] {
        var reader = ReplayReader(fleet: try fleet(), duration: 10 * Nanoseconds.second, mostRows: mostRows)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try reader.feed(bytes[start..<min(start + pieces, bytes.count)].span)
        }
        return try reader.finish()
    }

    private static func expected(_ rows: [(time: Int64, device: UInt64?)]) throws -> [ReplayTimes] {
        let fleet = try fleet()
        var lanes = LaneName.all.map { _ in ReplayTimes() }
        var unnamed: UInt64 = 0
        for row in rows {
            let lane = fleet.device(at: row.device ?? unnamed).lane
            if row.device == nil { unnamed += 1 }
            let ordinal = row.device.flatMap { device in
                (0..<fleet.laneCount(lane)).first { fleet.device(lane: lane, ordinal: $0).index == device }
            }
            lanes[Int(lane.rawValue)].append(at: row.time, ordinal: ordinal)
        }
        return lanes
    }

    @Test("Times and devices, in pieces of any size", arguments: [1, 2, 3, 7, 1 << 20])
    func rows(pieces: Int) throws {
        let text = "\u{FEFF}device,at_s\r\n,0\r\n5,0.000000001\r\n,0.5\n999,\"1.25\"\n\n0,9.999999999"
        let rows: [(Int64, UInt64?)] = [
            (0, nil), (1, 5), (500_000_000, nil), (1_250_000_000, 999), (9_999_999_999, 0),
        ]
        #expect(try Self.read(text, pieces: pieces) == Self.expected(rows))
    }

    @Test("Without devices rows are spread over the lanes as the fleet's devices are")
    func spread() throws {
        let text = "at_s\n" + (0..<1000).map { "\($0 / 200)" }.joined(separator: "\n")
        let lanes = try Self.read(text)
        #expect(lanes.map(\.count) == [500, 200, 300] && lanes.allSatisfy { !$0.namesDevices })
    }

    @Test(
        "What is wrong is named by its line and column",
        arguments: [
            ("", "line 1: the file is empty; the first line must name the column at_s, and may name device"),
            ("at_s\n", "line 2: there are no rows after the header"),
            (
                "device\n1\n",
                "line 1: there is no column at_s; the first line must name the column at_s, and may name device"
            ),
            (
                "at_s,lane\n1,2\n",
                "line 1: the column \"lane\" is not known; the first line must name the column at_s, and may name device"
            ),
            ("at_s,at_s\n", "line 1: the column at_s comes twice"),
            ("at_s\n1\n1,2\n", "line 3: 2 fields where the header has 1"),
            ("at_s\n\"1\n", "line 2: the file ends within quotes"),
            (
                "at_s\n1\n0.9\n",
                "line 3: column at_s: \"0.9\" is not allowed; give no less than the row before it"
            ),
            (
                "at_s\n10.0\n",
                "line 2: column at_s: \"10.0\" is not allowed; give less than the phase's duration, 10s"
            ),
            (
                "at_s,device\n1,1000\n",
                "line 2: column device: \"1000\" is not allowed; give a device of the fleet, 0 to 999, or nothing"
            ),
            (
                "at_s,device\n1,-1\n",
                "line 2: column device: \"-1\" is not allowed; give a device of the fleet, 0 to 999, or nothing"
            ),
        ]
    )
    func errors(text: String, message: String) {
        #expect {
            try Self.read(text)
        } throws: { error in
            "\(error)" == message
        }
    }

    @Test(
        "Times that are no decimal seconds are refused",
        arguments: ["", "x", "-1", "+1", "1.", ".", "1e3", "1.0000000001", " 1", "1,5", "99999999999", "0x1", "1.2.3"]
    )
    func times(text: String) {
        #expect(throws: ReplayError.self) { try Self.read("at_s\n\"\(text)\"\n") }
    }

    @Test("There is a bound on rows")
    func bound() {
        #expect(throws: ReplayError(line: 4, "more than 2 rows")) { try Self.read("at_s\n1\n1\n1\n", mostRows: 2) }
    }
}
