import Fleet
import Histogram
import Push
import Sending
import Testing

@testable import Driver

@Suite("Lane recorder")
struct LaneRecorderTests {
    private let quiet = LaneRecorder.Gauges(inFlight: 0, backlog: 0, connections: 1)

    private func answer(_ recorder: inout LaneRecorder, phase: Int, status: Int, body: String) {
        let index = Array(body.utf8).withUnsafeBytes { recorder.index(status: status, body: $0) }
        recorder.answered(phase: phase, index: index, response: 2000, service: 1000)
    }

    @Test("Every end is counted in its phase, and the identity holds")
    func identity() {
        var recorder = LaneRecorder(lane: 0, provider: .apns, phases: 2, seconds: 2)
        for phase in 0..<2 {
            for push in 0..<5 as Range<UInt64> { recorder.submitted(phase: phase, hash: push, lag: 10) }
            recorder.plannedAndSkipped(phase: phase, hash: 9, cause: .backlogFull)
            for push in 0..<4 as Range<UInt64> {
                recorder.written(phase: phase, hash: push, streamWait: 5, isRetry: false)
            }
            answer(&recorder, phase: phase, status: 200, body: "")
            answer(&recorder, phase: phase, status: 410, body: #"{"reason":"Unregistered"}"#)
            recorder.failed(phase: phase, cause: .timedOut)
            recorder.unanswered(phase: phase)
            recorder.skipped(phase: phase, cause: .loadEnded)
        }
        let lane = recorder.finish(name: "apns-production", gauges: quiet)
        for phase in lane.phases {
            #expect(phase.counts.holds && phase.counts.planned == 6 && phase.counts.attempts == 4)
            #expect(phase.outcomes.reduce(0) { $0 + $1.count } == 6)
            #expect(phase.clocks.response.count == 2 && phase.clocks.service.max == 1000)
            #expect(phase.clocks.lag.count == 5 && phase.clocks.streamWait.count == 4)
        }
        #expect(recorder.backlogOverflowed)
        #expect(recorder.planHash == 2 * (0 + 1 + 2 + 3 + 4 + 9) && recorder.sentHash == 2 * (0 + 1 + 2 + 3))
    }

    @Test("Seconds hold what happened in them, and their sum is the whole")
    func seconds() {
        var recorder = LaneRecorder(lane: 0, provider: .fcm, phases: 1, seconds: 3)
        for second in 1...3 {
            for push in 0..<UInt64(second) {
                recorder.submitted(phase: 0, hash: push, lag: 0)
                recorder.written(phase: 0, hash: push, streamWait: 0, isRetry: false)
                answer(&recorder, phase: 0, status: 200, body: "")
            }
            if second < 3 { recorder.endSecond(second, phase: 0, gauges: quiet) }
        }
        let lane = recorder.finish(name: "fcm", gauges: quiet)
        #expect(lane.timeline.map(\.second) == [0, 1, 2])
        #expect(lane.timeline.map(\.answered) == [1, 2, 3])
        #expect(lane.timeline.map(\.response.count) == [1, 2, 3])
        #expect(lane.phases[0].counts.delivered == 6)
    }
}
