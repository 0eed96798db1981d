import Foundation
import Sending
import TestSupport
import Testing

@testable import Report

/// Records whose files are made and read.
private enum Cases {
    static let thresholds =
        #"{"fcm.response": ["p(99) < 250ms", "max < 1ms"], "all.outcomes{reason=\"<X>\"}": ["count == 0"]}"#
    static let valid = PageTests.record(SampleRun.healthy, thresholds: thresholds)
    static let invalid: RunRecord = {
        var run = SampleRun.faulty
        run.generator.longestStall = SampleRun.second
        return PageTests.record(run, thresholds: thresholds)
    }()
}

/// Each form is read by a program of those that it is made for.
@Suite("Exports")
struct ExportTests {
    /// The files of a form, by name.
    private func files(_ export: ResultExport, _ record: RunRecord = Cases.valid) -> [String: String] {
        Dictionary(uniqueKeysWithValues: export.files(of: record).map { ($0.name, ResultText.collect($0.contents)) })
    }

    private func python(_ script: String, _ text: String) throws -> [String] {
        let output = try Python.run(script, input: Data(text.utf8))
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("The same record gives the same bytes in every form", arguments: ResultExport.allCases)
    func same(export: ResultExport) throws {
        let first = files(export)
        #expect(first == files(export) && !first.isEmpty)
        let read = try RunRecord(json: Array(RecordTests.json(Cases.valid).utf8), file: "run.json")
        #expect(files(export, read) == first)
    }

    @Test("An INVALID run enters no history", arguments: ResultExport.allCases)
    func invalid(export: ResultExport) {
        #expect(files(export, Cases.invalid).isEmpty == export.isForTrackers)
    }

    @Test(
        "The lists for github-action-benchmark are as its page has them",
        .enabled(if: Python.hasModules("jsonschema"))
    )
    func custom() throws {
        let script = """
            import json, sys, jsonschema
            schema = {"type": "array", "minItems": 1, "items": {"type": "object", "additionalProperties": False,
              "required": ["name", "unit", "value"], "properties": {"name": {"type": "string", "minLength": 1},
              "unit": {"type": "string", "minLength": 1}, "value": {"type": "number"}, "range": {"type": "string"},
              "extra": {"type": "string"}}}}
            entries = json.load(sys.stdin)
            jsonschema.validate(entries, schema)
            assert len({entry["name"] for entry in entries}) == len(entries)
            for entry in entries: print(entry["name"], entry["value"], entry["unit"])
            """
        let files = files(.githubActionBenchmark)
        let smaller = try python(script, try #require(files["benchmark-smaller-is-better.json"]))
        #expect(smaller.contains("mixed-fleet / fcm / response p50 20496.383 us"))
        #expect(smaller.contains("mixed-fleet / all / CPU per push 240.0 us"))
        let bigger = try python(script, try #require(files["benchmark-bigger-is-better.json"]))
        #expect(bigger.contains("mixed-fleet / fcm / answered/s 500.0 per_s"))
        #expect(bigger.contains("mixed-fleet / fcm / delivered 0.99 share"))
        #expect(Set(smaller).isDisjoint(with: bigger))
    }

    @Test("Bencher's own schema takes the Bencher file", .enabled(if: Python.hasModules("jsonschema")))
    func bencher() throws {
        let script = """
            import json, re, sys, jsonschema
            measure = {"type": "object", "properties": {"value": {"type": "number"}, "lower_value": {"type": "number"},
              "upper_value": {"type": "number"}}, "required": ["value"]}
            schema = {"$schema": "http://json-schema.org/draft-07/schema", "type": "object", "patternProperties":
              {".+": {"type": "object", "patternProperties": {".+": measure}}}}
            report = json.load(sys.stdin)
            jsonschema.validate(report, schema)
            for benchmark, measures in report.items():
                for name, measure in measures.items():
                    # A slug of the service: kebab case, at most 64 characters.
                    assert len(name) <= 64 and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), name
                    assert measure.get("lower_value", 0) <= measure["value"] <= measure.get("upper_value", 1e300)
                    print(benchmark, name, measure["value"])
            """
        let lines = try python(script, try #require(files(.bencher)["bencher.json"]))
        #expect(lines.contains("mixed-fleet fcm response-p50-us 20496.383"))
        #expect(lines.contains("mixed-fleet all allocations-per-push-number 0.05"))
    }

    @Test("A JUnit parser finds the verdict and each threshold", .enabled(if: Python.hasModules("junitparser")))
    func junit() throws {
        let script = """
            import sys
            from junitparser import JUnitXml
            for suite in JUnitXml.fromstring(sys.stdin.buffer.read()):
                print(suite.name, suite.tests, suite.failures, suite.skipped)
                for case in suite:
                    for result in case.result or [None]:
                        print(case.classname, '|', case.name, '|', type(result).__name__, '|', result.message if result else '')
            """
        let lines = try python(script, try #require(files(.junit)["junit.xml"]))
        #expect(
            lines == [
                "mixed-fleet 4 1 0", "run | verdict | NoneType | ",
                "all.outcomes{reason=\"<X>\"} | count == 0 | NoneType | ",
                "fcm.response | p(99) < 250ms | NoneType | ",
                "fcm.response | max < 1ms | Failure | 31.00 ms, 3,000% above",
            ]
        )
        let invalid = try python(script, try #require(files(.junit, Cases.invalid)["junit.xml"]))
        #expect(invalid.first?.hasSuffix(" 4 1 3") == true)
        #expect(invalid[1].hasPrefix("run | verdict | Failure | INVALID: "))
        #expect(invalid.dropFirst(2).allSatisfy { $0.contains("| Skipped | the run is INVALID; ") })
    }

    @Test(
        "Prometheus's own tool has nothing against the metrics",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool")),
        arguments: [true, false]
    )
    func prometheus(isValid: Bool) throws {
        let record = isValid ? Cases.valid : Cases.invalid
        let text = try #require(files(.prometheus, record)["metrics.prom"])
        let outcome = try Program.run("/usr/bin/promtool", ["check", "metrics"], input: Data(text.utf8))
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("Counters and histograms have the record's numbers")
    func metrics() throws {
        let text = try #require(files(.prometheus)["metrics.prom"])
        for line in [
            "pushbench_run_valid 1",
            #"pushbench_planned_pushes_total{lane="fcm",phase="steady"} 7500"#,
            #"pushbench_outcomes_total{lane="fcm",phase="steady",status="200",reason="",disposition="delivered"} 7425"#,
            #"pushbench_response_seconds_bucket{lane="fcm",phase="steady",le="0.01"} 0"#,
            #"pushbench_response_seconds_bucket{lane="fcm",phase="steady",le="0.05"} 7500"#,
            #"pushbench_response_seconds_bucket{lane="fcm",phase="steady",le="+Inf"} 7500"#,
            #"pushbench_response_seconds_count{lane="fcm",phase="steady"} 7500"#,
            #"pushbench_threshold_holds{metric="fcm.response",condition="max < 1ms"} 0"#,
            #"pushbench_threshold_holds{metric="all.outcomes{reason=\"<X>\"}",condition="count == 0"} 1"#,
        ] {
            #expect(text.contains(line + "\n"), "no line \(line)")
        }
    }

    @Test("However many reasons a host thinks of, the labels are bounded and no push is lost")
    func bounds() {
        let rows = (0..<500)
            .map {
                OutcomeRow(status: 400, reason: "reason \($0)", disposition: "rejected", count: UInt64($0 + 1))
            }
        let bounded = MetricFamilies.bounded(rows.shuffled())
        #expect(bounded.count == MetricFamilies.mostReasons + 1)
        #expect(bounded.first?.count == 500 && bounded.last?.reason == "other")
        #expect(bounded.reduce(0) { $0 + $1.count } == 500 * 501 / 2)
        #expect(bounded == MetricFamilies.bounded(rows))
    }

    @Test("OpenTelemetry's own messages take the request", .enabled(if: Python.hasModules("opentelemetry.proto")))
    func otlp() throws {
        let script = """
            import sys
            from google.protobuf import json_format
            from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
            request = json_format.Parse(sys.stdin.read(), ExportMetricsServiceRequest())
            for metric in request.resource_metrics[0].scope_metrics[0].metrics:
                kind = metric.WhichOneof('data')
                data = getattr(metric, kind)
                assert kind == 'gauge' or data.aggregation_temporality == 2
                for point in data.data_points:
                    labels = ','.join(a.value.string_value for a in point.attributes)
                    if kind == 'histogram':
                        assert len(point.bucket_counts) == len(point.explicit_bounds) + 1
                        assert sum(point.bucket_counts) == point.count
                        print(metric.name, kind, labels, point.count, round(point.sum, 3))
                    else:
                        print(metric.name, kind, labels, point.as_double)
            """
        let lines = try python(script, try #require(files(.otlpJSON)["otlp.json"]))
        #expect(lines.contains("pushbench_planned_pushes_total sum fcm,steady 7500.0"))
        #expect(lines.contains("pushbench_response_seconds histogram fcm,steady 7500 153.989"))
        #expect(lines.contains("pushbench_run_valid gauge  1.0"))
    }

    @Test(
        "Percentile files have the lines of HdrHistogram's own printer",
        .enabled(if: Python.hasModules("hdrh.histogram"))
    )
    func hgrm() throws {
        let files = files(.hgrm)
        #expect(files.count == 8)
        let text = try #require(files["fcm.response.hgrm"])
        let script = """
            import sys
            from hdrh.histogram import HdrHistogram
            lines = [line for line in sys.stdin.read().splitlines() if line]
            assert lines[0].split() == ['Value', 'Percentile', 'TotalCount', '1/(1-Percentile)']
            histogram, seen = HdrHistogram(1, 86400000000000, 3), 0
            for line in lines[1:]:
                if line.startswith('#'): continue
                value, share, total = line.split()[:3]
                if int(total) > seen: histogram.record_value(round(float(value) * 1e6), int(total) - seen)
                seen = int(total)
            print(histogram.get_total_count(), histogram.get_value_at_percentile(50), lines[-2])
            """
        let lines = try python(script, text)
        #expect(
            lines.first?.hasPrefix("7500 204") == true
                && lines.first?.contains("Total count    =         7500]") == true
        )
    }

    @Test("Python's csv module reads every table, each row as long as its header", arguments: [true, false])
    func tables(isValid: Bool) throws {
        let record = isValid ? Cases.valid : Cases.invalid
        let script = """
            import csv, io, sys
            rows = list(csv.reader(io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8', newline=''), strict=True))
            assert all(len(row) == len(rows[0]) for row in rows)
            print(len(rows))
            """
        for file in ResultFile.allCases where file.name.hasSuffix(".csv") {
            let text = ResultText.collect { file.write(record, to: $0) }
            let rows = try python(script, text).first.flatMap { Int($0) } ?? 0
            #expect(rows == (try CSVText.rows(text)).count + 1 && rows > 1, "\(file.name)")
        }
    }
}
