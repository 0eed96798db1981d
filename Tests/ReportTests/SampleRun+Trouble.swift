import Histogram
import LoadPlan
import Sending

@testable import Report

extension SampleRun {
    /// Times that wander, pushes that fail in every way, a GOAWAY and a lost connection, hostile names, three lanes.
    static var faulty: RunMeasurement {
        var run = healthy
        run.lanes.append(run.lanes[0])
        run.lanes[2].name = "apns-sandbox"
        for (lane, second) in [(0, 6), (1, 7), (2, 8), (0, 12)] { run.lanes[lane].timeline[second].disturb() }
        run.lanes[0].skip(40, for: .backlogFull)
        run.lanes[0].phases[1].outcomes += [
            OutcomeRow(status: 429, reason: hostileText, disposition: "retryLater", count: 20),
            OutcomeRow(disposition: "failed", reason: LocalFailure.timedOut.rawValue, count: 30),
        ]
        run.lanes[0].phases[1].outcomes[0].count -= 50
        run.lanes[0].phases[1].counts.delivered -= 50
        run.lanes[0].phases[1].counts.rejected += 20
        run.lanes[0].phases[1].counts.failed += 30
        for number in 0..<3 {
            var life = run.connections[0]
            life.lane = "apns-production"
            life.connection = number
            life.opened = Int64(number) * 4 * second
            life.closedBy = number == 1 ? "reset by \(hostileText)" : "run end"
            life.closed = number == 1 ? 9 * second : run.duration
            life.goAwayCode = number == 2 ? 11 : nil
            life.peerLimitMin = 1
            run.connections.append(life)
        }
        return run
    }

    /// What a page must show as it is and never obey.
    static let hostileText = "</script><img src=x onerror=\"alert('1')\">&amp;\u{202E}\u{1B}[2J"

    /// Four hours of 10,000 pushes a second in one lane, with thousands of connections.
    static var long: RunMeasurement {
        var run = short
        run.interrupted = false
        run.phases[0].end = 14_400 * second
        run.phases[0].duration = 14_400 * second
        run.duration = 14_400 * second
        var response = Histogram()
        response.record(20 * millisecond, times: 9_000)
        response.record(45 * millisecond, times: 1_000)
        let times = SparseHistogram(response)
        run.lanes[0].timeline = (0..<14_400)
            .map { second in
                var interval = IntervalMeasurement(second: second, phase: 0, response: times)
                interval.planned = 10_000
                interval.sent = 10_000
                interval.delivered = 10_000
                interval.inFlight = 200
                return interval
            }
        run.lanes[0].phases[0] = phase(
            planned: 144_000_000,
            outcomes: [OutcomeRow(status: 200, reason: "", disposition: "delivered", count: 144_000_000)]
        )
        run.lanes[0].phases[0].clocks.response.record(20 * millisecond, times: 144_000_000)
        run.lanes[0].phases[0].clocks.service.record(19 * millisecond, times: 144_000_000)
        run.connections = (0..<5_000)
            .map { number in
                var life = ConnectionMeasurement(lane: "apns-sandbox", worker: number % 4, connection: number)
                life.closed = run.duration
                life.closedBy = number % 100 == 99 ? "peer" : "run end"
                return life
            }
        return run
    }
}

extension IntervalMeasurement {
    fileprivate mutating func disturb() {
        var times = Histogram()
        times.record(20 * SampleRun.millisecond, times: delivered / 2)
        times.record(900 * SampleRun.millisecond, times: delivered - delivered / 2)
        response = SparseHistogram(times)
        rejected += 60
        failed += 30
        skipped += 10
        delivered -= 100
        backlog = 480
        inFlight = 320
    }
}
