import Sending
import Testing

@testable import Report

@Suite("Markdown summary")
struct MarkdownTests {
    private func text(_ run: RunMeasurement, thresholds: String = "{}") -> String {
        ResultText.collect { ResultFile.markdown.write(PageTests.record(run, thresholds: thresholds), to: $0) }
    }

    @Test("Verdict, thresholds with the failed ones first, lanes, what was not delivered, what was run")
    func healthy() {
        let expected = """
            ## mixed-fleet: VALID

            15,000 of 15,000 planned were sent · 1,000 answered/s · lag p99 200 µs

            1 of 2 thresholds hold.

            |  | metric | condition | value | margin |
            | --- | --- | --- | ---: | --- |
            | ❌ **FAILED** | <code>fcm.response</code> | <code>p(99) &lt; 20ms</code> | 20.50 ms | 2.5% above |
            | ✅ | <code>all.rate</code> | <code>mean &gt;= 1000/s</code> | 1,000/s | at the bound |

            | lane | planned | delivered | rejected | failed | skipped | unanswered | response p50 | p99 | p99.9 | service p50 | p99 | p99.9 |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
            | apns-production | 7,500 | 7,425 | 75 | 0 | 0 | 0 | 20 ms | 20 ms | 31 ms | 20 ms | 20 ms | 30 ms |
            | fcm | 7,500 | 7,425 | 75 | 0 | 0 | 0 | 20 ms | 20 ms | 31 ms | 20 ms | 20 ms | 30 ms |
            | all | 15,000 | 14,850 | 150 | 0 | 0 | 0 | 20 ms | 20 ms | 31 ms | 20 ms | 20 ms | 30 ms |

            <details><summary>Not delivered</summary>

            | lane | answer | pushes | share | what to do |
            | --- | --- | ---: | ---: | --- |
            | apns-production | 400 BadDeviceToken | 38 | 0.51% | invalidDevice |
            | apns-production | 410 Unregistered | 37 | 0.49% | removeDevice |
            | fcm | 400 BadDeviceToken | 38 | 0.51% | invalidDevice |
            | fcm | 410 Unregistered | 37 | 0.49% | removeDevice |

            </details>

            Tries &lt;everything&gt; &amp; more. 18,000 pushes were planned for 1,000,000 devices (45% apns-production, 5% apns-sandbox, 50% fcm): 3 s of warm-up (not counted) and 15 s of steady. Lanes: apns-production with 2 connections and fcm with 4 connections, on 1 worker.

            """
        let thresholds = "{'all.rate': ['mean >= 1000/s'], 'fcm.response': ['p(99) < 20ms']}"
        #expect(text(SampleRun.healthy, thresholds: thresholds) == expected)
    }

    @Test("Causes of an INVALID run stand below its heading; an interrupted one says so")
    func invalid() {
        var run = SampleRun.healthy
        run.generator.longestStall = SampleRun.second
        #expect(
            text(run)
                .hasPrefix(
                    "## mixed-fleet: INVALID\n\n- a worker's loop stood still for 1.0 s, above the bound of 250 ms\n\n15,000 of"
                )
        )
        #expect(text(SampleRun.short).contains("\nInterrupted after 400 ms: these are the results until then.\n"))
    }

    @Test("What a host said is text, whatever it is")
    func hostile() {
        let text = text(SampleRun.faulty)
        #expect(text.hasPrefix("## &lt;/script&gt;&lt;img src=x onerror="))
        #expect(!text.contains("<img") && !text.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B })
        #expect(
            MarkdownText.escape("a|b @me #1 `c` [d](e) *f* _g_ \\h ![i] ~j~ $k$")
                == "a\\|b &#64;me &#35;1 \\`c\\` \\[d\\](e) \\*f\\* \\_g\\_ \\\\h \\!\\[i\\] \\~j\\~ \\$k\\$"
        )
        #expect(MarkdownText.code("a|b`<") == "<code>a&#124;b`&lt;</code>")
    }

    @Test("However many reasons and thresholds, a summary stays small")
    func bounded() {
        var run = SampleRun.healthy
        run.lanes[0].phases[1].outcomes += (0..<3_000)
            .map {
                OutcomeRow(
                    status: 500,
                    reason: String(repeating: "|", count: 60) + "\($0)",
                    disposition: "retryLater",
                    count: 1
                )
            }
        run.lanes[0].phases[1].outcomes[0].count -= 3_000
        let text = text(run)
        #expect(text.contains("And 2904 more.") && text.utf8.count < 100_000)
    }
}
