import LoadPlan
import Sending
import Testing

@testable import Report

@Suite("Progress line")
struct ProgressTests {
    private static var steady: RunProgress {
        var snapshot = RunProgress()
        snapshot.elapsed = 10_250_000_000
        snapshot.phase = "steady"
        snapshot.phaseElapsed = 7_250_000_000
        snapshot.phaseDuration = 15_000_000_000
        var lane = RunProgress.Lane(name: "fcm")
        lane.planned = 70_000
        lane.sent = 69_998
        lane.delivered = 69_800 - 977
        lane.rejected = 977
        lane.inFlight = 198
        snapshot.lanes = [lane]
        return snapshot
    }

    @Test func rateSinceTheLastLine() {
        var before = Self.steady
        before.elapsed -= 500_000_000
        before.lanes[0].delivered -= 4_999
        let line =
            "steady 7 s of 15 s · planned 70,000 · sent 69,998 · answered 69,800 · 9,998/s · in flight 198 · rejected 1.4%"
        #expect(Self.steady.line(since: before) == line)
    }

    @Test func troubleIsNamed() {
        var snapshot = Self.steady
        snapshot.lanes[0].failed = 1_000
        snapshot.lanes[0].skipped = 2
        #expect(
            snapshot.line(since: nil).hasSuffix(" · 6,810/s · in flight 198 · rejected 1.4% · failed 1,000 · skipped 2")
        )
    }

    @Test func beginning() {
        var snapshot = RunProgress()
        #expect(snapshot.line(since: nil) == "connecting")
        snapshot.phase = "warm-up"
        snapshot.phaseDuration = 500_000_000
        let line = "warm-up 0 s of 500 ms · planned 0 · sent 0 · answered 0 · 0/s · in flight 0 · rejected 0.0%"
        #expect(snapshot.line(since: nil) == line)
        #expect(snapshot.line(since: snapshot) == line)
    }
}

@Suite("Live view")
struct LiveViewTests {
    private static let view = LiveView(bounds: VerdictBounds(), colours: false)

    private static var progress: RunProgress {
        var progress = RunProgress()
        progress.phase = "steady"
        progress.phaseElapsed = 4_700_000_000
        progress.phaseDuration = 15_000_000_000
        progress.elapsed = 7_700_000_000
        progress.duration = 18_000_000_000
        for (name, rate) in [("apns-production", UInt64(4_500)), ("fcm", 5_000)] {
            var lane = RunProgress.Lane(name: name)
            lane.planned = 7 * rate
            lane.sent = 7 * rate - 1
            lane.delivered = 7 * rate - 101
            lane.rejected = 50
            lane.inFlight = 50
            lane.backlog = 1
            progress.lanes.append(lane)
        }
        progress.lanes[0].responseP50 = 20_400_000
        progress.lanes[0].responseP99 = 31_000_000
        progress.trouble = [
            OutcomeRow(status: 404, reason: "UNREGISTERED", disposition: "removeDevice", count: 40),
            OutcomeRow(status: 410, reason: "Unregistered", disposition: "removeDevice", count: 60),
        ]
        return progress
    }

    /// A second before.
    private static var earlier: RunProgress {
        var earlier = progress
        earlier.elapsed -= 1_000_000_000
        for (index, rate) in [4_500, 5_000].enumerated() {
            earlier.lanes[index].planned -= UInt64(rate)
            earlier.lanes[index].sent -= UInt64(rate - 3)
            earlier.lanes[index].delivered -= UInt64(rate - 7)
        }
        return earlier
    }

    @Test func narrow() {
        #expect(
            Self.view.lines(Self.progress, since: Self.earlier, width: 79) == [
                "steady 4 s of 15 s · 10 s left · VALID so far",
                "lane             planned/s  sent/s  answered/s  in flight    p50    p99",
                "apns-production      4,500   4,497       4,493         50  20 ms  31 ms",
                "fcm                  5,000   4,997       4,993         50      –      –",
                "410 Unregistered 0.09% · 404 UNREGISTERED 0.06%",
            ]
        )
    }

    @Test func wide() {
        let lines = Self.view.lines(Self.progress, since: Self.earlier, width: 119)
        #expect(
            lines[1] == "lane             planned/s  sent/s  answered/s  in flight  waiting  rejected    p50    p99"
        )
        #expect(
            lines[2] == "apns-production      4,500   4,497       4,493         50        1      0.2%  20 ms  31 ms"
        )
    }

    @Test(arguments: [21, 40, 79, 99, 100, 200]) func noLineIsLongerThanTheTerminal(width: Int) {
        var progress = Self.progress
        progress.lagP99 = 3_600_000_000_000
        progress.longestStall = 3_600_000_000_000
        progress.backlogOverflowed = true
        progress.workerCPU = progress.elapsed
        progress.clockStep = -3_600_000_000_000
        progress.phase = String(repeating: "\u{1B}long ", count: 40)
        for number in 0..<20 {
            progress.trouble.append(OutcomeRow(disposition: "failed", reason: "reason \(number)", count: 1))
        }
        for line in Self.view.lines(progress, since: nil, width: width) {
            #expect(line.count <= width && !line.contains("\u{1B}"), "\(line)")
        }
        let coloured = LiveView(bounds: VerdictBounds(), colours: true).lines(progress, since: nil, width: width)
        let bare = coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(bare == Self.view.lines(progress, since: nil, width: width))
    }

    @Test func everyCauseIsNamedAsSoonAsItIsThere() {
        var progress = Self.progress
        progress.lagP99 = 7_200_000
        progress.backlogOverflowed = true
        progress.longestStall = 251_000_000
        progress.workerCPU = progress.elapsed
        progress.clockStep = -1_500_000_000
        let heading = Self.view.lines(progress, since: nil, width: 200)[0]
        #expect(
            heading.hasSuffix(
                "INVALID so far: lag p99 7.2 ms, backlog overflow, stall 251 ms, no CPU to spare, clock step -1.5 s"
            )
        )
    }

    @Test func beginningAndEnd() {
        #expect(Self.view.lines(RunProgress(), since: nil, width: 79) == ["connecting"])
        var progress = Self.progress
        progress.trouble = []
        progress.elapsed = 18_100_000_000
        progress.phaseElapsed = 15_100_000_000
        let lines = Self.view.lines(progress, since: nil, width: 79)
        #expect(lines[0] == "steady 15 s of 15 s · waiting for answers · VALID so far" && lines.last == "no errors")
    }
}
