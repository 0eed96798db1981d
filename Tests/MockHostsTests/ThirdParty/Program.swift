import Foundation
import Synchronization

/// Other people's programs, run against a mock.
enum Program {
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs a program to its end, or to the time limit's, when it is ended and its status is not 0.
    static func run(
        _ program: String,
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:]
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["60", program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        // Both pipes are read at once, so that neither can fill up and stop the program.
        let complaints = Mutex(Data())
        let reader = Thread { complaints.withLock { $0 = errors.fileHandleForReading.readDataToEndOfFile() } }
        reader.start()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        while !reader.isFinished { sched_yield() }
        return Result(
            status: process.terminationStatus,
            output: String(decoding: text, as: UTF8.self),
            errors: complaints.withLock { String(decoding: $0, as: UTF8.self) }
        )
    }

    static func exists(_ program: String) -> Bool { (try? run("which", [program]).status) == 0 }

    /// The interpreter named by `PUSHBENCH_PYTHON`, otherwise the first on the path.
    static let python = ProcessInfo.processInfo.environment["PUSHBENCH_PYTHON"] ?? "python3"

    static func hasPythonModule(_ name: String) -> Bool { (try? run(python, ["-c", "import \(name)"]).status) == 0 }
}

/// Provider tokens made with `openssl` alone, so that nothing of ours judges its own work.
enum ForeignToken {
    /// A token signed with the key in a file.
    static func make(keyFile: String, keyID: String, teamID: String, age: Int64) throws -> String {
        let issuedAt = WallTime.seconds() - age
        let parts = [#"{"alg":"ES256","kid":"\#(keyID)"}"#, #"{"iss":"\#(teamID)","iat":\#(issuedAt)}"#]
        let signed = parts.map { base64URL(Data($0.utf8)) }.joined(separator: ".")
        let der = try output(["dgst", "-sha256", "-sign", keyFile], input: Data(signed.utf8))
        return signed + "." + base64URL(raw(der))
    }

    /// A new EC key in a file.
    static func makeKey(_ file: String) throws {
        _ = try output(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file])
    }

    /// What `openssl` writes, byte for byte.
    private static func output(_ arguments: [String], input: Data = Data()) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return bytes
    }

    /// ECDSA's two numbers out of their DER, 32 bytes each (RFC 7518, 3.4).
    private static func raw(_ der: Data) -> Data {
        var bytes = Array(der)[2...]
        var result = Data()
        for _ in 0..<2 {
            let length = Int(bytes[bytes.startIndex + 1])
            let number = bytes.dropFirst(2).prefix(length).drop { $0 == 0 }
            result += Data(repeating: 0, count: 32 - number.count) + Data(number)
            bytes = bytes.dropFirst(2 + length)
        }
        return result
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
