import Histogram
import Push
import Testing

@testable import Sending

@Suite("Measurement")
struct MeasurementTests {
    @Test("The identity holds exactly when every planned push has one end")
    func identity() {
        var counts = PushCounts()
        #expect(counts.holds)
        counts.planned = 5
        counts.delivered = 1
        counts.rejected = 1
        counts.failed = 1
        counts.skipped = 1
        #expect(!counts.holds)
        counts.unanswered = 1
        #expect(counts.holds && counts.answered == 2)
        counts += counts
        #expect(counts.holds && counts.planned == 10)
    }

    @Test("Outcomes of workers that number reasons differently add up by what was said")
    func outcomes() {
        let gone = Answer(status: 410, reason: "Unregistered", disposition: .removeDevice)
        let bad = Answer(status: 400, reason: "BadDeviceToken", disposition: .invalidDevice)
        let good = Answer(status: 200, reason: "", disposition: .delivered)
        var one = OutcomeCounts()
        one.addAnswer(0, times: 10)
        one.addAnswer(1, times: 2)
        one.add(.failed(.timedOut))
        var two = OutcomeCounts()
        two.addAnswer(2, times: 3)
        two.addAnswer(1)
        two.add(.skipped(.backlogFull), times: 4)
        two.add(.unanswered)
        var rows = one.rows(naming: [good, gone])
        rows.merge(two.rows(naming: [good, bad, gone]))
        #expect(
            rows.map { "\($0.status ?? 0) \($0.reason) \($0.disposition) \($0.count)" } == [
                "200  delivered 10", "410 Unregistered removeDevice 5", "0 timed out failed 1",
                "400 BadDeviceToken invalidDevice 1", "0 backlog full skipped 4", "0  unanswered 1",
            ]
        )
    }

    @Test("A reason met for the first time after others still has its place")
    func outcomesGrow() {
        var counts = OutcomeCounts()
        counts.addAnswer(100)
        #expect(counts.answers[100] == 1 && counts.answers.reduce(0, +) == 1)
    }

    @Test("Every cause has its own counter")
    func causes() {
        var counts = OutcomeCounts()
        for cause in LocalFailure.allCases { counts.add(.failed(cause)) }
        for cause in SkipCause.allCases { counts.add(.skipped(cause)) }
        #expect(counts.failures.allSatisfy { $0 == 1 } && counts.skips.allSatisfy { $0 == 1 })
    }

    @Test("Timelines of workers merge second by second")
    func timelines() {
        func interval(_ second: Int, planned: UInt64, value: Int64) -> IntervalMeasurement {
            var histogram = Histogram()
            histogram.record(value)
            var interval = IntervalMeasurement(second: second, phase: 0, response: SparseHistogram(histogram))
            interval.planned = planned
            return interval
        }
        var one = LaneMeasurement(name: "fcm", phases: 1)
        one.timeline = [interval(0, planned: 1, value: 10), interval(2, planned: 2, value: 20)]
        var two = LaneMeasurement(name: "fcm", phases: 1)
        two.timeline = [interval(1, planned: 4, value: 5), interval(2, planned: 8, value: 40)]
        one.merge(two)
        #expect(one.timeline.map(\.second) == [0, 1, 2])
        #expect(one.timeline.map(\.planned) == [1, 4, 10])
        #expect(one.timeline[2].response.count == 2)
    }
}
