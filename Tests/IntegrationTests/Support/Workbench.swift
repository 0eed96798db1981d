import Foundation
import Push
import TestSupport
import Testing

/// A folder in which the built `pushbench` runs, as a user would run it, and all that is left of it in the end.
///
/// Temporary files go to a folder of the workbench's own, which must be empty whenever a command has ended.
final class Workbench: Sendable {
    /// The current folder of every command.
    let folder: TemporaryFolder
    /// TMPDIR of every command.
    let temporaries: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        temporaries = try TemporaryFolder()
    }

    /// Where the build put the program: beside the tests.
    static let pushbench = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "pushbench").path

    /// The repository's `Profiles` folder.
    static let profiles = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Profiles").path

    private var environment: [String: String] { ["TMPDIR": temporaries.path] }

    /// Starts `pushbench` with arguments.
    ///
    /// - Parameter roots: a file of certificates to trust in place of the system's; nil for the system's.
    func start(_ arguments: [String], onTerminal: Bool = false, trusting roots: String? = nil) throws -> Program {
        var environment = environment
        environment["SSL_CERT_FILE"] = roots
        return try Program(
            Self.pushbench,
            arguments,
            in: folder.path,
            environment: environment,
            onTerminal: onTerminal
        )
    }

    /// Runs `pushbench` to its end, which must leave no process and no temporary file behind.
    func run(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Program.Outcome {
        let outcome = try start(arguments).wait()
        #expect(try temporaries.contents() == [], sourceLocation: sourceLocation)
        return outcome
    }

    /// Runs `pushbench run` into a folder and takes its result, which must be there.
    func result(
        _ profile: String,
        _ arguments: [String] = [],
        code: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RunResult {
        let out = "result-\(UUID().uuidString.prefix(8))"
        let words = ["run", profile, "--quiet", "--out", out] + Self.patience + arguments
        let outcome = try run(words, sourceLocation: sourceLocation)
        try #require(outcome.code == code, "\(outcome)", sourceLocation: sourceLocation)
        return try RunResult(folder: folder.path(out), outcome: outcome)
    }

    /// Verdict bounds that a slow machine keeps: the tests ask whether everything works, not how fast.
    static let patience = [
        "verdict.lagP99=1h", "verdict.stall=1h", "verdict.sentShare=0", "verdict.workerCPU=1", "verdict.clockStep=1h",
    ]
    .flatMap { ["--set", $0] }
}

extension Workbench {
    /// Runs the mixed profile in a workbench of its own.
    static func mixed(_ arguments: [String]) throws -> RunResult {
        let bench = try Workbench()
        try bench.folder.write(TestProfile.mixed, to: "mixed.json")
        return try bench.result("mixed.json", arguments)
    }
}
