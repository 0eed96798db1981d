import Sending
import Testing

@testable import Report

@Suite("Headroom")
struct HeadroomTests {
    private static func record(pushes: UInt64, duration: Int64 = 3 * SampleRun.second) -> RunRecord {
        var run = SampleRun.healthy
        run.generator.ceiling = CeilingMeasurement(pushes: pushes, duration: duration)
        return SampleRun.record(run)
    }

    @Test func theBusiestSecondAgainstTheCeiling() throws {
        let record = Self.record(pushes: 30_000)
        let headroom = try #require(Headroom(record))
        #expect(headroom.peak == 1_000 && headroom.ceiling == 10_000)
        #expect(headroom.figure == "peak 1,000/s is 10% of the ceiling, 10,000/s" && headroom.warning == nil)
        let text = TerminalSummary(record, colours: false).text(folder: nil)
        #expect(text.contains("driver 24% of a core · peak 1,000/s is 10% of the ceiling, 10,000/s\n"))
        let json = JSONSummary.text(record, folder: nil)
        #expect(json.contains(#""peak_planned_per_s":1000,"ceiling_per_s":10000,"#))
    }

    @Test func tooLittleIsAWarningAndNoCause() throws {
        let record = Self.record(pushes: 3_600)
        let warning = try #require(Headroom(record)?.warning)
        #expect(
            warning
                == "little headroom: 1,000 pushes were planned in the busiest second and the generator's ceiling is "
                + "1,200/s; times near it are partly the generator's own"
        )
        #expect(TerminalSummary(record, colours: false).text(folder: nil).contains(warning) && record.verdict.isValid)
    }

    @Test func withoutACeilingThereIsNone() {
        #expect(Headroom(SampleRun.record(SampleRun.healthy)) == nil)
        #expect(Headroom(Self.record(pushes: 0)) == nil && Headroom(Self.record(pushes: 9, duration: 0)) == nil)
    }
}
