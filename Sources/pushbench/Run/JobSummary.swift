import Glibc
import Report

/// Adds a run to the summary of a GitHub job, where there is one.
enum JobSummary {
    /// GitHub refuses a step's whole summary above that.
    ///
    /// Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands, "Step isolation and limits".
    static let mostBytes = 1 << 20

    /// Appends to the file that the variable `GITHUB_STEP_SUMMARY` names.
    ///
    /// A summary that can't be written is no reason to fail a run that
    /// was done; standard error says so.
    static func append(_ record: RunRecord) {
        guard let name = getenv("GITHUB_STEP_SUMMARY").map({ String(cString: $0) }), !name.isEmpty else { return }
        if let problem = append(ResultText.collect { ResultFile.markdown.write(record, to: $0) }, to: name) {
            Console.writeError("pushbench: \(name): \(problem); the job summary lacks this run\n")
        }
    }

    /// Appends a text whole or not at all; returns what was in the way.
    static func append(_ text: String, to path: String) -> String? {
        let descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return String(cString: strerror(errno)) }
        // A paragraph of its own, whatever the file ends with.
        let bytes = Array(((status.st_size > 0 ? "\n" : "") + text + "\n").utf8)
        guard Int(status.st_size) + bytes.count <= mostBytes else {
            return "would be larger than the \(mostBytes) bytes that GitHub takes"
        }
        return Console.write(bytes, to: descriptor) ? nil : String(cString: strerror(errno))
    }
}
