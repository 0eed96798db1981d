import FoundationEssentials
import Glibc

/// Standard output for results, standard error for everything else.
enum Console {
    /// Writes to standard output.
    ///
    /// A reader that has gone ends the process quietly, as it does any filter.
    static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes to standard error.
    static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Whether standard output is a terminal that may be coloured (https://no-color.org).
    static var wantsColours: Bool {
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if descriptor == STDOUT_FILENO { exit(ExitCode.failure.rawValue) }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
