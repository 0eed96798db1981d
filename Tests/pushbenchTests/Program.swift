import Foundation
import TestSupport

@testable import pushbench

/// Runs the pushbench that was built beside the tests, as a user would.
struct Program {
    /// What one run of it left behind.
    struct Outcome {
        let code: Int32
        let output: String
        let errors: String
    }

    /// A folder of the test's own, in which it runs.
    let folder: URL

    /// Makes a folder for the time of `body`.
    static func inFolder(_ body: (Program) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(Program(folder: folder))
    }

    /// Runs it with arguments, until it ends by itself.
    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// The same with arguments in a list.
    func run(_ arguments: [String]) throws -> Outcome {
        try launch(Self.executable, arguments)
    }

    /// Runs a line of shell in which `$PUSHBENCH` is the program.
    func shell(_ line: String) throws -> Outcome {
        try launch("/bin/sh", ["-c", line])
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The names of all files in the folder.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    private static var executable: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "pushbench").path
    }

    private func launch(_ program: String, _ arguments: [String]) throws -> Outcome {
        let outcome = try TestSupport.Program.run(
            program,
            arguments,
            in: folder.path,
            environment: ["PUSHBENCH": Self.executable]
        )
        return Outcome(code: outcome.code, output: outcome.output, errors: outcome.errors)
    }
}
