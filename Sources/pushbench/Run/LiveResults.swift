import Glibc
import LoadPlan
import Report
import Sending

/// What a run shows of its numbers before its end: rows in a file, metrics on a port, thresholds that end it.
final class LiveResults {
    /// The threshold that ends the run; nil while none does.
    private(set) var abortCause: String?
    private let profile: Profile
    private let environment: RunEnvironment
    private let table: LiveTable?
    private let server: MetricsServer?

    /// Nil where nobody asks for anything before the end.
    ///
    /// - Parameters:
    ///   - csv: the file that rows of the timeline go to as the run goes on; nil for none.
    ///   - metrics: the address that serves Prometheus' text; nil for none.
    init?(profile: Profile, environment: RunEnvironment, csv: String?, metrics: String?) throws(CommandFailure) {
        guard csv != nil || metrics != nil || profile.thresholds.contains(where: { $0.abortAfter != nil }) else {
            return nil
        }
        self.profile = profile
        self.environment = environment
        table = try csv.map { path throws(CommandFailure) in try LiveTable(path) }
        server = try metrics.map { address throws(CommandFailure) in try MetricsServer(on: address) }
    }

    /// Answers whoever asked for metrics; to be called often.
    func serve() { server?.turn() }

    /// Takes the numbers so far.
    func update(_ measurement: RunMeasurement) {
        let record = RunRecord(measurement: measurement, profile: profile, environment: environment)
        table?.add(record)
        if let server { server.text = ResultText.collect { PrometheusText.write(record, isLive: true, to: $0) } }
        if abortCause == nil { abortCause = record.abortCause(profile.thresholds) }
    }

    /// Writes what the last, perhaps incomplete second adds.
    func finish(_ record: RunRecord) throws(CommandFailure) {
        table?.add(record)
        try table?.close()
    }
}

/// The timeline as a file that grows while a run goes on.
final class LiveTable {
    private let path: String
    private let descriptor: Int32
    private var next = 0
    private var code: Int32 = 0

    /// Creates or empties the file.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw CommandFailure("\(ResultFolderError(path: path))") }
    }

    /// Appends the seconds that are new, whole rows at a time.
    func add(_ record: RunRecord) {
        let rows = ResultText.collect { TimelineTable.write(record, from: next, to: $0) }
        next = (record.lanes.compactMap { $0.timeline.last?.second }.max() ?? next - 1) + 1
        guard code == 0, !rows.isEmpty else { return }
        if !Console.write(Array(rows.utf8), to: descriptor) { code = errno }
    }

    /// Closes the file; throws what kept it from being whole.
    func close() throws(CommandFailure) {
        Glibc.close(descriptor)
        guard code == 0 else { throw CommandFailure("\(ResultFolderError(path: path, code: code))") }
    }
}
