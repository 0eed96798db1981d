import Report

/// How a command ended, as its exit code; the same for every command.
enum ExitCode: Int32 {
    /// Done, and all thresholds hold.
    case success = 0
    /// It could not be done: profile, credential, host or file.
    case failure = 1
    /// A threshold failed, or a regression was found.
    case thresholdFailed = 2
    /// The run can't be believed: the generator itself was the bottleneck.
    case invalid = 3
    /// Wrong usage (EX_USAGE of sysexits.h).
    case usage = 64
    /// Interrupted; results were written all the same (128 + SIGINT).
    case interrupted = 130

    /// What a record says of its run: thresholds count only where its numbers can be believed.
    init(judging record: RunRecord) {
        if record.faultyLane != nil, record.verdict.bugs.isEmpty {
            // A key, certificate or fleet that the hosts refused, whatever else was measured until then.
            self = .failure
        } else if record.verdict.isValid {
            // One that ended the run has failed, even if the last answers mended the value.
            self = record.failedThresholds == 0 && record.abortedBy == nil ? .success : .thresholdFailed
        } else {
            self = .invalid
        }
    }
}

/// Why a command could not do its work: one clear line, and the exit code that goes with it.
struct CommandFailure: Error, Equatable {
    /// Empty where the user has been told.
    let message: String
    let code: ExitCode

    init(_ message: String, code: ExitCode = .failure) {
        self.message = message
        self.code = code
    }

    /// A child process has said why on the standard error that we share.
    static let alreadyTold = CommandFailure("")

    /// The user called the command wrongly.
    static func usage(_ message: String) -> CommandFailure { CommandFailure(message, code: .usage) }
}
