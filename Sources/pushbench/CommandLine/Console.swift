import FoundationEssentials
import Glibc

/// Standard output for results, standard error for everything else.
enum Console {
    /// Writes to standard output.
    ///
    /// A reader that has gone ends the process quietly, as it does any filter; an output that can't take more, such as
    /// a file on a full disk, with a word about it.
    static func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes bytes to standard output, likewise.
    static func write(_ bytes: [UInt8]) {
        if write(bytes, to: STDOUT_FILENO) { return }
        if errno != EPIPE { writeError("pushbench: \(ResultFolderError(path: "standard output"))\n") }
        exit(ExitCode.failure.rawValue)
    }

    /// Opens /dev/null for those of the three standard descriptors that we were started without.
    ///
    /// Otherwise the next socket or file would get such a number, and results or messages would be written into it.
    static func occupyStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes to standard error; where that can't be, there is nobody left to tell.
    static func writeError(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Whether standard output is a terminal that may be coloured (https://no-color.org).
    static var wantsColours: Bool {
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: false if that can't be, with the reason in `errno`.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
