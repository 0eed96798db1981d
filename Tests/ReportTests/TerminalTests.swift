import Histogram
import Sending
import Testing

@testable import Report

@Suite("Terminal summary")
struct TerminalTests {
    @Test func healthy() {
        expect(
            SampleRun.healthy,
            """
            mixed-fleet · 1,000,000 devices · seed 42 · mock hosts, faithful · 2 phases, 18 s

            VALID   15,000 of 15,000 planned were sent · 1,000 answered/s · lag p99 200 µs · driver 24% of a core

            lane             planned  delivered  rejected  failed  skipped  unanswered │ response p50    p99  p99.9 │ service p50    p99  p99.9
            apns-production    7,500      7,425        75       0        0           0 │        20 ms  20 ms  31 ms │       20 ms  20 ms  30 ms
            fcm                7,500      7,425        75       0        0           0 │        20 ms  20 ms  31 ms │       20 ms  20 ms  30 ms  150 batches, p99 61 ms

            apns-production  400 BadDeviceToken  38  0.51%  invalidDevice
                             410 Unregistered    37  0.49%  removeDevice
            fcm              400 BadDeviceToken  38  0.51%  invalidDevice
                             410 Unregistered    37  0.49%  removeDevice

            warm-up: 3,000 pushes in 3 s, left out above
            driver: 1 worker · 240.000 µs CPU per push · 0.05 allocations per push, 3.00 more inside nghttp2, 0.00 inside OpenSSL · peak memory 64 MiB

            Results/x   report.html  summary.md  summary.csv  timeline.csv  latency.csv  outcomes.csv  retries.csv  connections.csv  credentials.csv  histograms.hlog  run.json

            """
        )
    }

    /// Several phases, every kind of end, more kinds than are shown, and a host that tries to steer the terminal.
    @Test func invalid() {
        var run = SampleRun.healthy
        run.phases[0].warmUp = false
        run.lanes[1].skip(750, for: .backlogFull)
        run.lanes[0].phases[1].clocks.lag.record(12_000_000, times: 300)
        var failures = [
            OutcomeRow(disposition: "failed", reason: LocalFailure.connectionLost.rawValue, count: 40),
            OutcomeRow(status: 503, reason: "", disposition: "retryLater", count: 30),
            OutcomeRow(status: 429, reason: "\u{1B}[2J\nSLOW", disposition: "retryLater", count: 20),
            OutcomeRow(disposition: "unanswered", count: 10),
        ]
        failures += (1...6).map { OutcomeRow(status: 500, reason: "E\($0)", disposition: "retryLater", count: 1) }
        run.lanes[0].phases[1].counts.delivered -= 106
        run.lanes[0].phases[1].counts.rejected += 56
        run.lanes[0].phases[1].counts.failed += 40
        run.lanes[0].phases[1].counts.unanswered += 10
        run.lanes[0].phases[1].outcomes[0].count -= 106
        run.lanes[0].phases[1].outcomes += failures
        expect(
            run,
            """
            mixed-fleet · 1,000,000 devices · seed 42 · mock hosts, faithful · 2 phases, 18 s

            INVALID   17,250 of 18,000 planned were sent · 956 answered/s · lag p99 12 ms · driver 24% of a core
              - lag p99 was 12 ms, above the bound of 5.0 ms: the generator was late with its own plan
              - fcm: the backlog overflowed and 750 pushes were never sent, above the bound of 0: the pool or the host was too small for the planned rate

            lane             planned  delivered  rejected  failed  skipped  unanswered │ response p50    p99  p99.9 │ service p50    p99  p99.9
            apns-production    9,000      8,804       146      40        0          10 │        20 ms  20 ms  31 ms │       20 ms  20 ms  30 ms
            fcm                9,000      8,160        90       0      750           0 │        20 ms  20 ms  31 ms │       20 ms  20 ms  30 ms  150 batches, p99 61 ms

            phase    length  planned/s  sent/s  answered/s │ response p50    p99  p99.9 │ service p50    p99  p99.9
            warm-up     3 s      1,000   1,000       1,000 │        20 ms  20 ms  31 ms │       20 ms  20 ms  30 ms
            steady     15 s      1,000     950         947 │        20 ms  20 ms  31 ms │       20 ms  20 ms  30 ms

            apns-production  400 BadDeviceToken           46  0.51%  invalidDevice
                             410 Unregistered             44  0.49%  removeDevice
                             connection lost              40  0.44%  failed
                             503                          30  0.33%  retryLater
                             429 �[2J�SLOW                20  0.22%  retryLater
                             no answer                    10  0.11%  unanswered
                             500 E1                        1  0.01%  retryLater
                             500 E2                        1  0.01%  retryLater
                             and 4 more in outcomes.csv
            fcm              backlog full                750  8.33%  skipped
                             400 BadDeviceToken           46  0.51%  invalidDevice
                             410 Unregistered             44  0.49%  removeDevice

            driver: 1 worker · 250.435 µs CPU per push · 0.05 allocations per push, 3.00 more inside nghttp2, 0.00 inside OpenSSL · peak memory 64 MiB

            Results/x   report.html  summary.md  summary.csv  timeline.csv  latency.csv  outcomes.csv  retries.csv  connections.csv  credentials.csv  histograms.hlog  run.json

            """
        )
    }

    @Test func empty() {
        expect(
            SampleRun.empty,
            """
            mixed-fleet · 1,000,000 devices · seed 42 · mock hosts, faithful · 1 phase, 0 s

            VALID   0 of 0 planned were sent · 0 answered/s

            Results/x   report.html  summary.md  summary.csv  timeline.csv  latency.csv  outcomes.csv  retries.csv  connections.csv  credentials.csv  histograms.hlog  run.json

            """
        )
    }

    @Test func idle() {
        expect(
            SampleRun.idle,
            """
            mixed-fleet · 1,000,000 devices · seed 42 · mock hosts, faithful · 1 phase, 0 s

            VALID   0 of 0 planned were sent · 0 answered/s

            lane  planned  delivered  rejected  failed  skipped  unanswered │ response p50  p99  p99.9 │ service p50  p99  p99.9
            fcm         0          0         0       0        0           0 │            –    –      – │           –    –      –

            Results/x   report.html  summary.md  summary.csv  timeline.csv  latency.csv  outcomes.csv  retries.csv  connections.csv  credentials.csv  histograms.hlog  run.json

            """
        )
    }

    @Test func interruptedAfterOnePush() {
        expect(
            SampleRun.short,
            """
            mixed-fleet · 1,000,000 devices · seed 42 · mock hosts, faithful · 1 phase, 400 ms

            VALID   1 of 1 planned were sent · 0 answered/s · lag p99 312 ns · driver 0% of a core

            lane          planned  delivered  rejected  failed  skipped  unanswered │ response p50  p99  p99.9 │ service p50  p99  p99.9
            apns-sandbox        1          0         0       0        0           1 │            –    –      – │           –    –      –

            apns-sandbox  no answer  1  100.00%  unanswered

            interrupted after 400 ms: these are the results until then
            driver: 0 workers · 0.000 µs CPU per push

            Results/x   report.html  summary.md  summary.csv  timeline.csv  latency.csv  outcomes.csv  retries.csv  connections.csv  credentials.csv  histograms.hlog  run.json

            """
        )
    }

    @Test func coloursOnlyWhenAskedFor() {
        let record = SampleRun.record(SampleRun.healthy)
        let plain = TerminalSummary(record, colours: false).text(folder: nil)
        #expect(!plain.contains("\u{1B}"))
        #expect(!plain.contains("summary.csv"))
        let colours = TerminalSummary(record, colours: true).text(folder: nil)
        #expect(colours.contains("\n\u{1B}[1;32mVALID\u{1B}[0m   15,000 of"))
        #expect(colours.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }

    private func expect(_ run: RunMeasurement, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let summary = TerminalSummary(SampleRun.record(run), colours: false).text(folder: "Results/x")
        #expect(summary == text, "\n\(summary)", sourceLocation: sourceLocation)
    }
}

@Suite("JSON summary")
struct JSONSummaryTests {
    @Test func oneObjectOnOneLine() {
        let json = JSONSummary.text(SampleRun.record(SampleRun.short), folder: nil)
        let expected =
            #"{"name":"mixed-fleet","started_at":"2026-11-30T09:20:00.125000000Z","interrupted":true,"#
            + #""verdict":{"word":"VALID","causes":[]},"thresholds":[],"hosts":"mock hosts, faithful","devices":1000000,"seed":42,"#
            + #""plan_hash":"0000000000000000","sent_hash":"0000000000000000","duration_s":0.400000,"#
            + #""accounting":{"planned":1,"delivered":0,"rejected":0,"failed":0,"skipped":0,"unanswered":1,"attempts":1,"retries":0},"#
            + #""planned_per_s":2.500,"sent_per_s":2.500,"answered_per_s":0.000,"workers":0,"cpu_us_per_push":0.000,"#
            + #""peak_memory_bytes":0,"lanes":[{"lane":"apns-sandbox","#
            + #""accounting":{"planned":1,"delivered":0,"rejected":0,"failed":0,"skipped":0,"unanswered":1,"attempts":1,"retries":0},"#
            + #""sent_per_s":2.500,"answered_per_s":0.000,"#
            + #""lag":{"count":1,"mean_us":0.312,"p50_us":0.312,"p90_us":0.312,"p99_us":0.312,"p999_us":0.312,"max_us":0.312},"#
            + #""stream_wait":{"count":1,"mean_us":9.960,"p50_us":9.960,"p90_us":9.960,"p99_us":9.960,"p999_us":9.960,"max_us":9.960},"#
            + #""outcomes":[{"reason":"","disposition":"unanswered","count":1}]}]}"#
        #expect(json == expected)
    }

    @Test func anEmptyRunHasNoNumbersOutOfNothing() {
        let json = JSONSummary.text(SampleRun.record(SampleRun.empty), folder: "Results/x")
        #expect(json.contains(#""result":"Results/x""#))
        #expect(!json.contains("_per_s"))
        #expect(!json.contains(":nan"))
        #expect(json.hasSuffix(#""lanes":[]}"#))
    }
}
