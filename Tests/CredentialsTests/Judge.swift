import Foundation
import Testing

@testable import Credentials

/// Runs other people's programs as judges of ours.
enum Judge {
    struct Answer {
        var status: Int32
        var output: Data
        var errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program found on the path, with `input` on its standard input.
    static func run(_ program: String, _ arguments: [String], input: Data = Data()) throws -> Answer {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Answer(
            status: process.terminationStatus,
            output: text,
            errors: String(decoding: complaints, as: UTF8.self)
        )
    }

    /// Runs `openssl` and demands success.
    @discardableResult
    static func openssl(_ arguments: String..., input: Data = Data()) throws -> Data {
        let answer = try run("openssl", arguments, input: input)
        try #require(answer.status == 0, "openssl \(arguments.joined(separator: " ")): \(answer.errors)")
        return answer.output
    }

    /// The interpreter named by `PUSHBENCH_PYTHON`, otherwise the first on the path.
    static let python = ProcessInfo.processInfo.environment["PUSHBENCH_PYTHON"] ?? "python3"

    /// Whether that Python has PyJWT and cryptography.
    static let hasPyJWT = (try? run(python, ["-c", "import jwt, cryptography"]).status) == 0
}

/// A directory for one test, removed with everything in it when the last reference goes.
final class Scratch {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("pushbench-credentials-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }
}
