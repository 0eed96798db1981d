import Histogram

/// One `ExportMetricsServiceRequest` as OTLP's JSON, for `POST /v1/metrics` of any OpenTelemetry collector.
///
/// Source: https://opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding": names in lowerCamelCase, 64-bit integers as
/// strings, enumerations as numbers; the messages are those of `opentelemetry/proto/metrics/v1/metrics.proto`.
enum OTLPExport {
    static func write(_ record: RunRecord, to text: ResultText) {
        let times = Times(
            start: "\(record.startedAt.nanoseconds)",
            end: "\(record.startedAt.nanoseconds + record.duration)"
        )
        let environment = record.environment
        let resource = [
            ("service.name", "pushbench"), ("service.version", environment.revision),
            ("host.arch", environment.machine.architecture), ("os.description", environment.machine.distribution),
        ]
        let metrics = MetricFamilies.of(record).filter { !$0.points.isEmpty }.map { Metric($0, times) }
        let scope = ScopeMetrics(scope: Scope(name: "pushbench"), metrics: metrics)
        let request = Request(resourceMetrics: [
            ResourceMetrics(resource: Resource(attributes: resource.map(Attribute.init)), scopeMetrics: [scope])
        ])
        OrderedJSON.write(request, to: text, brokenDepth: 7)
    }

    /// Of a cumulative point, in nanoseconds since 1970.
    private struct Times {
        let start: String
        let end: String
    }

    private struct Request: Encodable {
        let resourceMetrics: [ResourceMetrics]
    }

    private struct ResourceMetrics: Encodable {
        let resource: Resource
        let scopeMetrics: [ScopeMetrics]
    }

    private struct Resource: Encodable {
        let attributes: [Attribute]
    }

    private struct Attribute: Encodable {
        struct Value: Encodable {
            let stringValue: String
        }

        let key: String
        let value: Value

        init(_ key: String, _ value: String) {
            self.key = key
            self.value = Value(stringValue: value)
        }
    }

    private struct ScopeMetrics: Encodable {
        let scope: Scope
        let metrics: [Metric]
    }

    private struct Scope: Encodable {
        let name: String
    }

    private struct Metric: Encodable {
        let name: String
        let description: String
        let unit: String
        var sum: Points?
        var gauge: Points?
        var histogram: Points?

        init(_ family: MetricFamily, _ times: Times) {
            name = family.name
            description = family.help
            unit = family.unit
            let points = family.points.map { Point($0, times) }
            switch family.kind {
            case .counter: sum = Points(points, isSum: true)
            case .gauge: gauge = Points(points)
            case .histogram: histogram = Points(points, isHistogram: true)
            }
        }
    }

    private struct Points: Encodable {
        let dataPoints: [Point]
        /// 2 is `AGGREGATION_TEMPORALITY_CUMULATIVE`.
        let aggregationTemporality: Int?
        let isMonotonic: Bool?

        init(_ points: [Point], isSum: Bool = false, isHistogram: Bool = false) {
            dataPoints = points
            aggregationTemporality = isSum || isHistogram ? 2 : nil
            isMonotonic = isSum ? true : nil
        }
    }

    private struct Point: Encodable {
        let attributes: [Attribute]
        let startTimeUnixNano: String
        let timeUnixNano: String
        var asDouble: FixedDecimal?
        var count: String?
        var sum: FixedDecimal?
        var bucketCounts: [String]?
        var explicitBounds: [FixedDecimal]?

        init(_ point: MetricFamily.Point, _ times: Times) {
            attributes = point.labels.map { Attribute($0.name, $0.value) }
            startTimeUnixNano = times.start
            timeUnixNano = times.end
            switch point.value {
            case .number(let number): asDouble = number
            case .times(let buckets):
                count = "\(buckets.count)"
                sum = buckets.sum
                bucketCounts = buckets.counts.map { "\($0)" }
                explicitBounds = FixedBuckets.ends.map(FixedDecimal.seconds)
            }
        }
    }
}
