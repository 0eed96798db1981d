import Histogram
import LoadPlan
import Report
import Sending

/// What a result measured that a plan can use: service times, streams, and what a push costs in CPU and bytes.
struct MeasuredInputs {
    /// As fields of a campaign.
    let overrides: [String]

    init(_ path: String) throws(CommandFailure) {
        let record = try RecordSource(path).record
        var fields: [String] = []
        var (attempts, bytesOut, bytesIn) = (UInt64(0), UInt64(0), UInt64(0))
        for lane in record.lanes {
            var service = Histogram()
            for (phase, part) in zip(record.phases, lane.phases) {
                attempts += part.streamWait.values.count
                if !phase.warmUp { service.merge(part.service.values) }
            }
            (bytesOut, bytesIn) = (bytesOut + lane.bytesOut, bytesIn + lane.bytesIn)
            if let times = Self.distribution(service) { fields.append("mock.serviceTimes.\(lane.name)=\(times)") }
            let limits = record.connections.filter { $0.lane == lane.name }.map(\.peerLimitMax)
            if let most = limits.max(), most > 0 { fields.append("mock.streamLimits.\(lane.name)=\(most)") }
        }
        guard attempts > 0 else { throw CommandFailure("\(path): the run sent no push, so it measured nothing") }
        fields.append("campaign.cpuPerPush=\(max(1, record.generator.cpu / Int64(attempts)))ns")
        fields.append("campaign.bytesPerPush={out: \(bytesOut / attempts), in: \(bytesIn / attempts)}")
        overrides = fields
    }

    /// The lognormal distribution with the same median and 99th percentile.
    private static func distribution(_ service: Histogram) -> String? {
        guard !service.isEmpty else { return nil }
        let (median, p99) = (service.value(atQuantile: 0.5), service.value(atQuantile: 0.99))
        guard median > 0 else { return nil }
        return "{lognormal: {median: '\(median)ns', p99: '\(max(median, p99))ns'}}"
    }
}
