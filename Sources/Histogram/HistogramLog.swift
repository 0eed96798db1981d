import FoundationEssentials

/// Writes a histogram log in format 1.3, which HdrHistogram's log readers and plotters take: one line per interval and tag.
///
/// Makes text and touches no file: the caller writes `header` once and then the lines, in the order of their start times,
/// which readers rely on. Nothing is kept, so a log of any length costs no memory. Starts are relative to the start of the
/// run; the header's `StartTime` and `BaseTime` tell readers when that was.
///
///     #pushbench mixed-fleet
///     #[Histogram log format version 1.3]
///     #[StartTime: 1795944120.250 (seconds since epoch), 2026-11-30T09:22:00Z]
///     #[BaseTime: 1795944120.250 (seconds since epoch)]
///     "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
///     Tag=fcm.response,0.000,1.000,27.132,HISTFAAAAEV42pNpmSz...
package enum HistogramLog {
    /// The lines before the first interval.
    ///
    /// - Parameters:
    ///   - wallMilliseconds: when the run started, in milliseconds since 1970 UTC.
    ///   - comment: one line that says what was measured.
    /// - Returns: whole lines, the last one ended.
    package static func header(startedAt wallMilliseconds: Int64, comment: String) -> String {
        precondition(!comment.contains { $0.isNewline }, "a comment of a histogram log is one line")
        let seconds = text(wallMilliseconds, in: 1_000)
        let date = Date(timeIntervalSince1970: Double(wallMilliseconds / 1_000)).formatted(.iso8601)
        return """
            #\(comment)
            #[Histogram log format version 1.3]
            #[StartTime: \(seconds) (seconds since epoch), \(date)]
            #[BaseTime: \(seconds) (seconds since epoch)]
            "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

            """
    }

    /// The line of one interval.
    ///
    /// `Interval_Max` is in milliseconds, the reference's choice for values in nanoseconds.
    ///
    /// - Parameters:
    ///   - histogram: what was recorded in the interval, and nothing else.
    ///   - tag: `lane.clock`; commas, spaces and line ends would break the format and trap.
    ///   - start: the interval's start, in nanoseconds since the start of the run.
    ///   - end: its end, likewise.
    /// - Returns: one line, ended.
    package static func line(_ histogram: SparseHistogram, tag: String, from start: Int64, to end: Int64) -> String {
        precondition(!tag.contains { $0 == "," || $0.isWhitespace }, "a tag of a histogram log has no comma or space")
        let times = [
            text(start, in: 1_000_000_000), text(end - start, in: 1_000_000_000), text(histogram.max, in: 1_000_000),
        ]
        return "Tag=\(tag),\(times.joined(separator: ",")),\(histogram.encodedV2())\n"
    }

    /// With three decimals.
    private static func text(_ value: Int64, in unit: Int128) -> String {
        FixedDecimal(Int128(value), over: unit, digits: 3).map(\.description) ?? ""
    }
}
