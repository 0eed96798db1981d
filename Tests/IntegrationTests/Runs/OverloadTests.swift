import LoadPlan
import TestSupport
import Testing

extension Processes {
    /// Three times what the project may send, under each way of keeping its quota.
    @Suite(
        "An overload of FCM's quota",
        .disabled(if: Sanitizer.isOn, "it takes 900 pushes a second, in time for windows of two seconds")
    )
    struct OverloadTests {
        /// The minute is 2 s here, and its 600,000 are 600; where its windows begin the driver isn't told.
        private static let overload = """
            {
              name: "overload", seed: 11,
              fleet: { size: 1000, mix: { fcm: 1 } },
              load: { phases: [{ name: "steady", duration: "9s", rate: "900/s" }], backlog: "3s", drain: "5s" },
              lanes: {
                fcm: {
                  connections: 4, timeouts: { push: "1m" },
                  retry: { attempts: 3, backoff: { first: "1s", longest: "10s" }, clockScale: 100 },
                  quota: { limit: 600, per: "2s", reserve: 0 },
                },
              },
              mock: { serviceTime: "2ms", faults: ["quota=600,per=2s,phase=700ms"] },
            }
            """

        /// What a run says of its quota.
        private struct Row {
            let delivered: Int
            let refused: Int
            let retries: Int
            let skippedForQuota: Int
            let waited: Double
            /// Nanoseconds by which the driver was late at most, and what an answer took at most: a machine that stands still
            /// shows in one or the other.
            let heldUp: Double
            /// In each whole second of the load.
            let perSecond: [Int]

            init(_ result: RunResult) throws {
                let row = try #require(result.summary.rows.first { $0["lane"] == "fcm" && $0["phase"] == "all" })
                delivered = try row.count("delivered")
                retries = try row.count("retries")
                func count(_ reason: String) throws -> Int {
                    try result.outcomes.rows.filter { $0["reason"] == reason }
                        .reduce(0) { $0 + (try $1.count("count")) }
                }
                refused = try count("RATE_LIMIT_EXCEEDED")
                skippedForQuota = try count("quota")
                waited = Double(row["quota_wait_max_us"]) ?? 0
                let held = try ["lag_max_us", "service_max_us"].map { try #require(Double(row[$0]), "\($0)") }
                heldUp = held.reduce(0, +) * 1000
                perSecond = try result.timeline.rows.filter { $0["lane"] == "fcm" }.map { try $0.count("delivered") }
            }
        }

        private func run(_ keeper: QuotaKeeping, reserve: Double) throws -> (RunResult, Row) {
            let bench = try Workbench()
            try bench.folder.write(Self.overload, to: "overload.json")
            let result = try bench.result(
                "overload.json",
                [
                    "--workers", "1", "--set", "lanes.fcm.quota.keeper=\(keeper.rawValue)", "--set",
                    "lanes.fcm.quota.reserve=\(reserve)",
                ]
            )
            try result.checkAccounting()
            #expect(try result.total("planned") == 8100)
            return (result, try Row(result))
        }

        /// A run in which the machine held neither side up for longer than the quota has room for, by the run's own clocks.
        ///
        /// What such a run shows is the keeper's doing. After a longer one the host may rightly refuse what comes in a bunch.
        private func undisturbed(_ keeper: QuotaKeeping, reserve: Double) throws -> (RunResult, Row) {
            var (result, row) = try run(keeper, reserve: reserve)
            for _ in 1..<Self.tries where row.heldUp > Self.room { (result, row) = try run(keeper, reserve: reserve) }
            try #require(row.heldUp <= Self.room, "in \(Self.tries) runs the machine stood still for \(row.heldUp) ns")
            return (result, row)
        }

        private static let tries = 6
        /// Nanoseconds: a quarter of 600 pushes in reserve are what comes in 0.66 s at three quarters of 300/s.
        private static let room = 600e6

        @Test func withoutAKeeperTheHostRefuses() throws {
            let (result, row) = try run(.none, reserve: 0)
            #expect(row.refused > 1000 && row.retries > 1000 && row.skippedForQuota == 0 && row.waited == 0)
            // A push that was refused is tried again after the host's minute at the earliest, scaled down to 600 ms.
            #expect(result.record.accounting.attempts == row.retries + (try result.total("planned")))
        }

        @Test func aSmoothKeeperSeesNoRefusal() throws {
            let (result, row) = try undisturbed(.smooth, reserve: 0.25)
            #expect(row.refused == 0 && row.retries == 0)
            #expect(Set(result.outcomes.rows.map { $0["reason"] }) == ["", "quota"])
            #expect(row.skippedForQuota > 0 && row.waited > 1_000_000)
        }

        @Test func aWindowKeeperFillsTheWindows() throws {
            let (_, row) = try undisturbed(.window, reserve: 0)
            // So many seconds hold at least this many whole windows, wherever those begin; the first shows where.
            let sum: Int = row.perSecond.dropFirst(2).prefix(6).reduce(0, +)
            let least: Int = 2 * 600 * 98 / 100
            #expect(sum >= least, "\(row.perSecond)")
            #expect(row.skippedForQuota > 0 && row.waited > 500_000)
            // Only what finds out where a window begins is refused, and much less than without a keeper.
            #expect(row.refused < 600, "\(row.refused)")
        }
    }
}
