import Fleet
import LoadPlan
import TestSupport
import Testing

extension Processes {
    @Suite("Replayed times") struct ReplayTests {
        private static let profile = """
            { name: "again", seed: 9,
              fleet: { size: 400, mix: { "apns-production": 0.5, fcm: 0.5 }, defects: { unregistered: 0.5 } },
              load: { phases: [{ name: "again", duration: "600ms", replay: "data/times.csv" }], drain: "1m" },
              lanes: { fcm: { batch: { size: 7, inFlight: 4 } } },
              mock: { serviceTime: "1ms" } }
            """

        /// Rows with and without a device, several due at once.
        private static let rows: [(time: Int64, device: UInt64?)] = {
            var rows: [(Int64, UInt64?)] = []
            for n in 0..<500 as Range<UInt64> {
                rows.append((Int64(n / 3) * 3_333_333, n % 2 == 0 ? n * 37 % 400 : nil))
            }
            return rows
        }()

        private static var csv: String {
            var text = "at_s,device\n"
            for row in rows {
                let nanoseconds = String(1_000_000_000 + row.time).dropFirst()
                text += "0.\(nanoseconds),\(row.device.map { String($0) } ?? "")\n"
            }
            return text
        }

        /// The file is found beside the profile, and its rows are sent when and to whom they say, by any number of workers.
        @Test func theRowsAreThePlan() throws {
            var hashes: Set<String> = []
            for workers in [1, 2, 4] {
                let bench = try Workbench()
                _ = try bench.folder.makeFolder("profiles/data")
                try bench.folder.write(Self.profile, to: "profiles/again.json")
                try bench.folder.write(Self.csv, to: "profiles/data/times.csv")
                let result = try bench.result("profiles/again.json", ["--workers", "\(workers)"])
                try result.checkAccounting()
                #expect(try result.total("planned") == Self.rows.count)
                #expect(try result.total("delivered") + result.total("rejected") == Self.rows.count)
                #expect(result.record.planHash == result.record.sentHash)
                hashes.insert(result.record.planHash)
            }
            #expect(hashes == [try Self.expectedHash()])
        }

        /// Worked out from the rows alone, as README describes them.
        private static func expectedHash() throws -> String {
            let profile = try Profile(json: profile, file: "again.json")
            let fleet = try ExpectedEndings.fleet(of: profile)
            var (hash, unnamed) = (UInt64(0), UInt64(0))
            var lanes: [FleetLane: [(time: Int64, device: UInt64?)]] = [:]
            for row in rows {
                lanes[fleet.device(at: row.device ?? unnamed % 400).lane, default: []].append(row)
                if row.device == nil { unnamed += 1 }
            }
            for (lane, rows) in lanes {
                let batch = lane == .fcm ? 7 : 1
                for (push, row) in rows.enumerated() {
                    hash &+= LoadPlan.hash(
                        lane: LaneName.all.firstIndex(of: lane.name) ?? 0,
                        push: UInt64(push),
                        device: row.device ?? fleet.deviceIndex(lane: lane, ordinal: UInt64(push)),
                        due: rows[push / batch * batch].time
                    )
                }
            }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }

        @Test(arguments: [
            (nil, "profiles/data/times.csv: No such file or directory"),
            (
                "at_s\n0.1\n0.7\n",
                "profiles/data/times.csv: line 3: column at_s: \"0.7\" is not allowed; give less than "
            ),
        ])
        func aBadFileIsNamed(text: String?, message: String) throws {
            let bench = try Workbench()
            _ = try bench.folder.makeFolder("profiles/data")
            try bench.folder.write(Self.profile, to: "profiles/again.json")
            if let text { try bench.folder.write(text, to: "profiles/data/times.csv") }
            let outcome = try bench.run(["run", "profiles/again.json"])
            #expect(outcome.code == 1 && outcome.output == "" && outcome.errors.contains(message), "\(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }
}
