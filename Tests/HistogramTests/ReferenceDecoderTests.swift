import Foundation
import Histogram
import TestSupport
import Testing

/// Has the reference implementation (PyPI `hdrhistogram`) read what we write.
///
/// Runs the interpreter named by `PUSHBENCH_PYTHON`, otherwise `python3`. Where the module is missing the suite is
/// skipped, but with `CI` set it fails instead, so that it can never be left out unnoticed.
@Suite(.enabled(if: Reference.isInstalled || Reference.isRequired, Comment(rawValue: Reference.howToInstall)))
struct ReferenceDecoderTests {
    @Test func logIsReadToTheSameCountsAndPercentiles() throws {
        try #require(Reference.isInstalled, Comment(rawValue: Reference.howToInstall))
        let intervals = Self.intervals()
        var log = HistogramLog.header(startedAt: 1_795_944_120_250, comment: "test")
        for (tag, second, histogram) in intervals {
            log += HistogramLog.line(
                SparseHistogram(histogram),
                tag: tag,
                from: second * 1_000_000_000,
                to: (second + 1) * 1_000_000_000
            )
        }
        let read = try Reference.read(log: log)
        try #require(read.count == intervals.count)
        for (answer, (tag, second, histogram)) in zip(read, intervals) {
            #expect(answer.tag == tag)
            #expect(answer.start == 1_795_944_120_250 + Double(second) * 1_000)
            #expect(answer.end == answer.start + 1_000)
            expect(answer, toDescribe: histogram)
        }
    }

    @Test(arguments: Samples.allCases)
    func textIsDecodedToTheSameCountsAndPercentiles(samples: Samples) throws {
        try #require(Reference.isInstalled, Comment(rawValue: Reference.howToInstall))
        // Sizes at which rounding of ranks matters: half-way between two ranks for some percentile.
        for count in [0, 1, 2, 5, 50, 150, 500, 1_500, 30_000] {
            let histogram = Histogram(recording: samples.values(count, seed: 9))
            expect(try Reference.decode(histogram.encodedV2()), toDescribe: histogram)
        }
    }

    @Test func overflowIsReadAsTheLastBucket() throws {
        try #require(Reference.isInstalled, Comment(rawValue: Reference.howToInstall))
        let answer = try Reference.decode(Histogram(recording: [5, .max]).encodedV2())
        #expect(answer.count == 2)
        #expect(answer.counts == ["5": 1, "38121": 1])
    }

    @Test func textOfTheReferenceIsReadByUs() throws {
        try #require(Reference.isInstalled, Comment(rawValue: Reference.howToInstall))
        for samples in Samples.allCases {
            let values = samples.values(2_000, seed: 4)
            let decoded = try Histogram(encodedV2: Reference.encode(values))
            #expect(try Histogram(encodedV2: Histogram(recording: values).encodedV2()) == decoded)
        }
    }

    private func expect(_ answer: Reference.Answer, toDescribe histogram: Histogram) {
        #expect(answer.count == histogram.count)
        var counts: [Int64: UInt64] = [:]
        histogram.forEachBucket { counts[$0.from] = $0.count }
        #expect(answer.countsByValue == counts)
        for (percentile, value) in answer.percentiles {
            // The reference does not know the exact extremes, so it may answer with the far end of the outermost bucket.
            let expected = max(min(value, histogram.max), histogram.min)
            #expect(histogram.value(atPercentile: Double(percentile) ?? .nan) == expected, "p\(percentile)")
        }
    }

    private static func intervals() -> [(tag: String, second: Int64, histogram: Histogram)] {
        (0..<4)
            .flatMap { second in
                Samples.allCases.map { samples in
                    let values = second == 2 ? [] : samples.values(1_000, seed: UInt64(second))
                    return ("\(samples).response", Int64(second), Histogram(recording: values))
                }
            }
    }
}

/// Calls the reference through a small Python program, one JSON document out.
private enum Reference {
    struct Answer: Decodable {
        let tag: String?
        let start: Double
        let end: Double
        let count: UInt64
        /// By bucket index.
        let counts: [String: UInt64]
        /// By lowest value of the bucket.
        let values: [String: UInt64]
        let percentiles: [String: Int64]

        var countsByValue: [Int64: UInt64] {
            Dictionary(uniqueKeysWithValues: values.map { (Int64($0) ?? -1, $1) })
        }
    }

    static let howToInstall: String =
        "Python module hdrhistogram is missing: python3 -m venv .build/python && "
        + ".build/python/bin/pip install hdrhistogram==0.10.8, then PUSHBENCH_PYTHON=.build/python/bin/python3"

    static let isInstalled: Bool = (try? run("import hdrh.log", input: "")) != nil

    static let isRequired: Bool = ["", "false"].contains(ProcessInfo.processInfo.environment["CI"] ?? "") == false

    static func read(log: String) throws -> [Answer] {
        try withTemporaryFile(log) { file in
            try answers(
                """
                reader = HistogramLogReader(sys.stdin.readline().strip(), HdrHistogram(1, 86400 * 10**9, 3))
                found = []
                while True:
                    histogram = reader.get_next_interval_histogram()
                    if histogram is None: break
                    found.append(describe(histogram))
                print(json.dumps(found))
                """,
                input: file.path
            )
        }
    }

    static func decode(_ text: String) throws -> Answer {
        let found = try answers("print(json.dumps([describe(HdrHistogram.decode(sys.stdin.readline()))]))", input: text)
        return try #require(found.first)
    }

    static func encode(_ values: [Int64]) throws -> String {
        let program = """
            import sys
            from hdrh.histogram import HdrHistogram
            histogram = HdrHistogram(1, 86400 * 10**9, 3)
            for value in sys.stdin.readline().split(): assert histogram.record_value(int(value))
            print(histogram.encode().decode(), end="")
            """
        return String(
            decoding: try run(program, input: values.map(String.init).joined(separator: " ")),
            as: UTF8.self
        )
    }

    private static func answers(_ program: String, input: String) throws -> [Answer] {
        let common = """
            import json, sys
            from hdrh.histogram import HdrHistogram
            from hdrh.log import HistogramLogReader

            def describe(histogram):
                used = [i for i in range(histogram.counts_len) if histogram.get_count_at_index(i)]
                percentiles = ["0", "0.1", "10", "25", "50", "75", "90", "95", "99", "99.9", "99.99", "99.999", "100"]
                return {
                    "tag": histogram.get_tag(),
                    "start": histogram.get_start_time_stamp(),
                    "end": histogram.get_end_time_stamp(),
                    "count": histogram.get_total_count(),
                    "counts": {str(i): histogram.get_count_at_index(i) for i in used},
                    "values": {str(histogram.get_value_from_index(i)): histogram.get_count_at_index(i) for i in used},
                    "percentiles": {p: histogram.get_value_at_percentile(float(p)) for p in percentiles},
                }

            """
        return try JSONDecoder().decode([Answer].self, from: run(common + program, input: input))
    }

    private static func run(_ program: String, input: String) throws -> Data {
        try Python.run(program, input: Data("\(input)\n".utf8))
    }

    private static func withTemporaryFile<Result>(_ text: String, _ body: (URL) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file)
    }
}
