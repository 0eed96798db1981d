import Histogram
import LoadPlan

/// The verdict and every threshold as a test case of JUnit's XML, which CI systems show beside the tests.
///
/// Source of the form: https://github.com/testmoapp/junitxml, a description of what CI systems read.
enum JUnitExport {
    static func write(_ record: RunRecord, to text: ResultText) {
        let isValid = record.verdict.isValid
        let failures = (isValid ? 0 : 1) + (isValid ? record.failedThresholds : 0)
        let counts =
            "tests=\"\(record.thresholds.count + 1)\" failures=\"\(failures)\" errors=\"0\" "
            + "skipped=\"\(isValid ? 0 : record.thresholds.count)\""
        let seconds = FixedDecimal.milliseconds(record.duration / 1_000)
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pushbench\" \(counts)>\n")
        text.append("  <testsuite name=\"\(attribute(record.name))\" \(counts) time=\"\(seconds)\"")
        text.append(" timestamp=\"\(record.startedAt)\">\n")
        writeVerdict(record, to: text)
        for threshold in record.thresholds { write(threshold, isValid: isValid, to: text) }
        text.append("  </testsuite>\n</testsuites>\n")
    }

    private static func writeVerdict(_ record: RunRecord, to text: ResultText) {
        text.append("    <testcase classname=\"run\" name=\"verdict\"")
        guard !record.verdict.isValid else { return text.append("/>\n") }
        let causes = record.verdict.causes.map { attribute($0.sentence) }.joined(separator: "; ")
        text.append(">\n      <failure type=\"INVALID\" message=\"INVALID: \(causes)\"/>\n    </testcase>\n")
    }

    private static func write(_ threshold: ThresholdResult, isValid: Bool, to text: ResultText) {
        text.append("    <testcase classname=\"\(attribute(threshold.metric))\"")
        text.append(" name=\"\(attribute(threshold.conditionText))\"")
        let margin = threshold.marginText.isEmpty ? "" : ", \(threshold.marginText)"
        let value = attribute(threshold.value == nil ? "no samples" : "\(threshold.valueText)\(margin)")
        if !isValid {
            text.append(">\n      <skipped message=\"the run is INVALID; \(value)\"/>\n    </testcase>\n")
        } else if threshold.holds {
            text.append("/>\n")
        } else {
            text.append(">\n      <failure type=\"threshold\" message=\"\(value)\"/>\n    </testcase>\n")
        }
    }

    /// XML has no control characters at all, and an attribute is one line.
    private static func attribute(_ text: String) -> String { HTMLText.escape(text, limit: 1_000) }
}
