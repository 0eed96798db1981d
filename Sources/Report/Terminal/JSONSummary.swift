import Histogram
import Sending

/// The result of a run for programs: one JSON object on one line, for `--json`.
///
/// Counts and times are those of the measured phases, as in the summary for people; a time that nothing was recorded for is
/// left out.
package enum JSONSummary {
    /// The object, without a line end.
    ///
    /// - Parameter folder: where the files are; nil when none were written.
    package static func text(_ record: RunRecord, folder: String?) -> String {
        String(ResultText.collect { OrderedJSON.write(Run(record, folder: folder), to: $0, brokenDepth: 0) }.dropLast())
    }

    private struct Run: Encodable {
        let name: String
        let result: String?
        let startedAt: UTCTime
        let interrupted: Bool
        let abortedBy: String?
        let faultyLane: String?
        let verdict: Verdict
        let thresholds: [ThresholdResult]
        let hosts: String
        let devices: UInt64
        let seed: UInt64
        let shards: Shards?
        let planHash: OrderFreeHash
        let sentHash: OrderFreeHash
        let durationSeconds: FixedDecimal
        let accounting: PushCounts
        let plannedPerSecond: FixedDecimal?
        let sentPerSecond: FixedDecimal?
        let answeredPerSecond: FixedDecimal?
        let workers: Int
        let cpuMicrosecondsPerPush: FixedDecimal?
        let allocationsPerPush: FixedDecimal?
        let allocationsInHTTP2PerPush: FixedDecimal?
        let allocationsInTLSPerPush: FixedDecimal?
        let peakMemoryBytes: UInt64
        let peakPlannedPerSecond: UInt64?
        let ceilingPerSecond: UInt64?
        let lanes: [Lane]

        private enum CodingKeys: String, CodingKey {
            case name, result
            case startedAt = "started_at"
            case interrupted
            case abortedBy = "aborted_by"
            case faultyLane = "faulty_lane"
            case verdict, thresholds, hosts, devices, seed, shards
            case planHash = "plan_hash"
            case sentHash = "sent_hash"
            case durationSeconds = "duration_s"
            case accounting
            case plannedPerSecond = "planned_per_s"
            case sentPerSecond = "sent_per_s"
            case answeredPerSecond = "answered_per_s"
            case workers
            case cpuMicrosecondsPerPush = "cpu_us_per_push"
            case allocationsPerPush = "allocations_per_push"
            case allocationsInHTTP2PerPush = "allocations_in_nghttp2_per_push"
            case allocationsInTLSPerPush = "allocations_in_openssl_per_push"
            case peakMemoryBytes = "peak_memory_bytes"
            case peakPlannedPerSecond = "peak_planned_per_s"
            case ceilingPerSecond = "ceiling_per_s"
            case lanes
        }

        init(_ record: RunRecord, folder: String?) {
            let all = record.measured
            let cost = DriverCost(record)
            name = record.name
            result = folder
            startedAt = record.startedAt
            interrupted = record.interrupted
            abortedBy = record.abortedBy
            faultyLane = record.faultyLane
            verdict = record.verdict
            thresholds = record.thresholds
            hosts = record.environment.hosts
            devices = record.environment.devices
            seed = record.seed
            shards = Shards(record)
            planHash = record.planHash
            sentHash = record.sentHash
            durationSeconds = .seconds(all.duration)
            accounting = all.counts
            plannedPerSecond = .perSecond(all.counts.planned, in: all.duration)
            sentPerSecond = .perSecond(all.sent, in: all.duration)
            answeredPerSecond = .perSecond(all.counts.answered, in: all.duration)
            workers = record.generator.workers
            cpuMicrosecondsPerPush = cost?.cpuPerPush
            allocationsPerPush = cost?.allocationsPerPush
            allocationsInHTTP2PerPush = cost?.allocationsInHTTP2PerPush
            allocationsInTLSPerPush = cost?.allocationsInTLSPerPush
            peakMemoryBytes = record.generator.peakMemory
            let headroom = Headroom(record)
            peakPlannedPerSecond = headroom?.peak
            ceilingPerSecond = headroom?.ceiling
            lanes = record.lanes.map { lane in
                let indexes = record.measuredPhases
                return Lane(
                    record.totals(of: [lane], in: indexes, phase: RunTotals.all, lane: lane.name),
                    handshake: lane.handshake,
                    batch: lane.batch
                )
            }
        }
    }

    private struct Shards: Encodable {
        let of: Int
        let merged: [Int]
        let missing: [Int]
        let startSkew: FixedDecimal?
        let clockToGate: FixedDecimal?
        let clockToHosts: FixedDecimal?

        private enum CodingKeys: String, CodingKey {
            case of, merged, missing
            case startSkew = "start_skew_us"
            case clockToGate = "clock_to_gate_us"
            case clockToHosts = "clock_to_hosts_us"
        }

        init?(_ record: RunRecord) {
            guard let shards = record.shards, let count = shards.map(\.of).max() else { return nil }
            of = count
            merged = shards.map(\.number)
            missing = record.missingShards
            startSkew = record.startSkew.map(FixedDecimal.microseconds)
            clockToGate = record.clockToGate.map(FixedDecimal.microseconds)
            clockToHosts = record.clockToHosts.map(FixedDecimal.microseconds)
        }
    }

    private struct Lane: Encodable {
        let lane: String
        let accounting: PushCounts
        let sentPerSecond: FixedDecimal?
        let answeredPerSecond: FixedDecimal?
        let response: Times?
        let service: Times?
        let lag: Times?
        let streamWait: Times?
        let handshake: Times?
        let batch: Times?
        let outcomes: [OutcomeRow]

        private enum CodingKeys: String, CodingKey {
            case lane, accounting
            case sentPerSecond = "sent_per_s"
            case answeredPerSecond = "answered_per_s"
            case response, service, lag
            case streamWait = "stream_wait"
            case handshake, batch, outcomes
        }

        init(_ totals: RunTotals, handshake: RecordedHistogram, batch: RecordedHistogram) {
            lane = totals.lane
            accounting = totals.counts
            sentPerSecond = .perSecond(totals.sent, in: totals.duration)
            answeredPerSecond = .perSecond(totals.counts.answered, in: totals.duration)
            response = Times(totals.clocks.response)
            service = Times(totals.clocks.service)
            lag = Times(totals.clocks.lag)
            streamWait = Times(totals.clocks.streamWait)
            self.handshake = Times(handshake.values)
            self.batch = Times(batch.values)
            outcomes = totals.outcomes.inOrder
        }
    }

    private struct Times: Encodable {
        let count: UInt64
        let mean: FixedDecimal?
        let p50: FixedDecimal
        let p90: FixedDecimal
        let p99: FixedDecimal
        let p999: FixedDecimal
        let max: FixedDecimal

        private enum CodingKeys: String, CodingKey {
            case count
            case mean = "mean_us"
            case p50 = "p50_us"
            case p90 = "p90_us"
            case p99 = "p99_us"
            case p999 = "p999_us"
            case max = "max_us"
        }

        init?(_ times: some BucketCounts) {
            guard !times.isEmpty else { return nil }
            count = times.count
            mean = times.meanMicroseconds
            p50 = .microseconds(times.value(atQuantile: 0.5))
            p90 = .microseconds(times.value(atQuantile: 0.9))
            p99 = .microseconds(times.value(atQuantile: 0.99))
            p999 = .microseconds(times.value(atQuantile: 0.999))
            max = .microseconds(times.max)
        }
    }
}
