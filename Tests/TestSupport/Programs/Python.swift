package import Foundation

/// Python, for modules by other people that have an opinion on what we write.
package enum Python {
    /// The interpreter named by `PUSHBENCH_PYTHON`, otherwise the first on the PATH.
    private static let interpreter = ProcessInfo.processInfo.environment["PUSHBENCH_PYTHON"] ?? "python3"

    /// Whether `scripts/install test` has run here, so that whatever it brings must be there and no test may be skipped
    /// for want of it.
    package static var isInstalledForTests: Bool { ProcessInfo.processInfo.environment["PUSHBENCH_PYTHON"] != nil }

    /// Whether tests by these modules run: always where they were installed for tests, elsewhere if they are there.
    package static func runsTests(by modules: String) -> Bool { isInstalledForTests || hasModules(modules) }

    /// Whether the interpreter is there and can import these modules, given with commas between them.
    package static func hasModules(_ names: String) -> Bool { (try? run("import \(names)")) != nil }

    /// Runs a script, which must succeed, and returns its standard output.
    ///
    /// - Parameter environment: variables besides the test's own.
    package static func run(
        _ script: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        input: Data = Data()
    ) throws -> Data {
        let outcome = try Program.run(
            interpreter,
            ["-c", script] + arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: input
        )
        guard outcome.code == 0 else { throw ProgramFailure("python: \(outcome.errors)") }
        return outcome.bytes
    }
}
