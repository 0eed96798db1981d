import FoundationEssentials
import Glibc
import Histogram
import LoadPlan
import Planner
import Report
import Sending
import Transport

/// How long a trial and what comes before it last, in nanoseconds.
struct TrialTimes {
    var length: Int64
    var warmUp: Int64
}

/// Runs trials: each a process of its own, as `pushbench run` would be started by hand, with its own mock hosts unless others
/// are named.
struct TrialRunner {
    /// A trial that was run.
    struct Done {
        var outcome: TrialOutcome
        /// Whether all thresholds held.
        var holds: Bool
    }

    /// What the pool of a trial is, and what drives it.
    struct Setting {
        var pool: TunedPool
        /// Pushes a second; nil: as many in flight as the pool can hold.
        var rate: Double?
    }

    let loaded: ProfileFile
    let lane: String
    let times: TrialTimes
    let hosts: String?
    /// Added to the profile where it has no thresholds of its own.
    var thresholds: String?

    private static let patience: Int64 = 100_000_000
    private static let measured = "trial"

    /// Runs one; nil where the user ended it.
    func run(_ setting: Setting, _ interruption: Interruption) throws(CommandFailure) -> Done? {
        let folder = try Self.temporaryFolder()
        defer { Self.remove(folder) }
        let out = folder + "/result"
        let ending: ChildProcess.Ending
        do throws(TransportError) {
            let child = try ChildProcess(
                path: Executable.path ?? "pushbench",
                arguments: ["run"] + loaded.arguments + arguments(setting) + ["--out", out, "--quiet"]
            )
            while !child.waitForEnd(until: MonotonicClock.now() + Self.patience) {
                if interruption.count > 0 {
                    _ = child.end()
                    return nil
                }
            }
            ending = child.end()
        } catch {
            throw CommandFailure("\(error)")
        }
        guard case .exited(let status) = ending, let code = ExitCode(rawValue: status) else {
            throw CommandFailure("a trial ended without an exit code of ours (\(ending))")
        }
        if code == .interrupted { return nil }
        // What was wrong it has told on the standard error that we share.
        guard code != .failure, code != .usage else { throw CommandFailure("a trial could not be done", code: code) }
        let record = try RecordSource(out).record
        return Done(outcome: outcome(of: record, setting), holds: record.failedThresholds == 0)
    }

    // MARK: What a trial is called with

    private func arguments(_ setting: Setting) -> [String] {
        var fields = [
            "fleet.mix={'\(lane)': 1}", "load.phases=\(phases(setting))",
            "lanes.\(lane).connections=\(setting.pool.connections)",
            "lanes.\(lane).streams=\(setting.pool.streams)",
        ]
        if let batches = setting.pool.batches {
            fields.append("lanes.\(lane).batch={size: \(setting.pool.batchSize ?? 500), inFlight: \(batches)}")
        }
        if let thresholds { fields.append("thresholds=\(thresholds)") }
        return fields.flatMap { ["--set", $0] } + (hosts.map { ["--hosts", $0] } ?? [])
    }

    private func phases(_ setting: Setting) -> String {
        let shape: String
        if let rate = setting.rate {
            // To a thousandth of a push a second.
            shape = "rate: '\(Int((rate * 1000).rounded()))/1000s'"
        } else {
            let size = setting.pool.batches == nil ? 1 : setting.pool.batchSize ?? 500
            let inFlight = max(1, setting.pool.inFlight / size) * size
            shape = "inFlight: {'\(lane)': \(inFlight)}"
        }
        let (warmUp, length) = (Quantity.text(duration: times.warmUp), Quantity.text(duration: times.length))
        return "[{name: 'warm-up', duration: '\(warmUp)', warmUp: true, \(shape)}, "
            + "{name: '\(Self.measured)', duration: '\(length)', \(shape)}]"
    }

    // MARK: What it measured

    private func outcome(of record: RunRecord, _ setting: Setting) -> TrialOutcome {
        guard record.verdict.isValid else { return .invalid(record.verdict.causes.map { "\($0.sentence)" }) }
        guard let lane = record.lanes.first(where: { $0.name == self.lane }),
            let place = record.phases.firstIndex(where: { $0.name == Self.measured })
        else { return .invalid(["the lane was not driven"]) }
        let (phase, part) = (record.phases[place], lane.phases[place])
        let answered = part.counts.answered
        let refused = part.outcomes.reduce(0) { $0 + ($1.status == 429 ? $1.count : 0) }
        let peak = record.connections.filter { $0.lane == self.lane }.reduce(0) { $0 + $1.peakStreams }
        let capacity = max(1, setting.pool.connections * setting.pool.streams)
        let rate = Double(part.counts.delivered) / Double(max(1, phase.duration)) * 1e9
        let response = part.response.values
        let (p50, p99) = (response.value(atQuantile: 0.5), response.value(atQuantile: 0.99))
        let chance = QuantileInterval.shares(of: 0.99, count: response.totals.count)
        return .valid(
            TrialFacts(
                rate: rate,
                p50: p50,
                p99: p99,
                p99Low: response.value(atQuantile: chance.lowerBound),
                p99High: response.value(atQuantile: chance.upperBound),
                serviceP50: part.service.values.value(atQuantile: 0.5),
                answeredShare: Double(answered) / Double(max(1, part.counts.planned)),
                refusedShare: Double(refused) / Double(max(1, answered)),
                workerCPU: Double(record.generator.workerCPU.max() ?? 0) / Double(max(1, record.duration)),
                streamShare: min(1, Double(peak) / Double(capacity)),
                capacity: setting.pool.inFlight,
                carried: setting.rate.map {
                    TrialFacts.carried(planned: $0, p50: p50, p99: p99, length: phase.duration)
                }
            )
        )
    }

    private static func temporaryFolder() throws(CommandFailure) -> String {
        var template = Array(
            "\(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp")/pushbench-tune-XXXXXX".utf8CString
        )
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { throw CommandFailure("\(ResultFolderError(path: "a temporary folder"))") }
        return made
    }

    private static func remove(_ folder: String) {
        let out = folder + "/result"
        for name in (try? ResultFolder.names(in: out)) ?? [] { unlink("\(out)/\(name)") }
        rmdir(out)
        rmdir(folder)
    }
}
