import Foundation
import TestSupport

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
        let outcome = try Program.run(program, arguments, input: input)
        return Answer(status: outcome.code, output: outcome.bytes, errors: outcome.errors)
    }

    /// Runs `openssl` and demands success.
    @discardableResult
    static func openssl(_ arguments: String..., input: Data = Data()) throws -> Data {
        try OpenSSL.run(arguments, input: input)
    }
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
