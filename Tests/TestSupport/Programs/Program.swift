package import Foundation

/// A program that a test has started; it does not outlive this object.
///
/// Its output is read as it comes, every wait has a limit, and no wait needs another task of the test's thread pool.
package final class Program: Sendable {
    /// How a program ended.
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// All that a program left behind.
    package struct Outcome: Sendable {
        package let ending: Ending
        /// Standard output, byte for byte.
        package let bytes: Data
        package let errors: String

        /// Standard output as text.
        package var output: String { String(decoding: bytes, as: UTF8.self) }

        /// The exit code; -1 where a signal ended it.
        package var code: Int32 {
            if case .exited(let code) = ending { code } else { -1 }
        }

        /// The lines on standard error.
        package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// Variables that every program is given: where programs are, and what `scripts/sanitize` needs.
    private static let inherited = [
        "PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE",
    ]

    package let pid: Int32
    private let name: String
    private let life: ProcessLife
    private let output: Collector
    private let errors: Collector
    private let leash: Collector
    private let terminal: Terminal?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: its path, or a name to be looked up on the PATH.
    ///   - folder: where it runs; nil for where the test does.
    ///   - environment: in place of the test's own, but for ``inherited``; nil for the test's own.
    ///   - input: what it reads from standard input; nothing on a terminal.
    ///   - onTerminal: whether standard input and standard error are a terminal, on which Ctrl-C can be pressed.
    package init(
        _ program: String,
        _ arguments: [String],
        in folder: String? = nil,
        environment: [String: String]? = nil,
        input: Data = Data(),
        onTerminal: Bool = false
    ) throws {
        guard let path = program.contains("/") ? program : Self.find(program) else {
            throw ProgramFailure("there is no \(program) on the PATH")
        }
        let (toInput, fromOutput) = (try PrivatePipe(), try PrivatePipe())
        let (fromErrors, fromLeash) = (try PrivatePipe(), try PrivatePipe())
        terminal = onTerminal ? try Terminal() : nil
        let own = ProcessInfo.processInfo.environment
        var variables = environment ?? own
        for name in Self.inherited { variables[name] = own[name] }
        pid = try Spawning.spawn(
            [path] + arguments,
            environment: variables,
            folder: folder ?? FileManager.default.currentDirectoryPath,
            Spawning.Descriptors(
                input: toInput.reader.fileDescriptor,
                output: fromOutput.writer.fileDescriptor,
                errors: fromErrors.writer.fileDescriptor,
                leash: fromLeash.writer.fileDescriptor,
                terminal: terminal?.path
            )
        )
        name = URL(filePath: path).lastPathComponent
        life = ProcessLife(pid)
        // From here on only the program and its children hold these ends.
        for pipe in [fromOutput, fromErrors, fromLeash] { try pipe.writer.close() }
        output = Collector(fromOutput.reader)
        errors = Collector(terminal?.screen ?? fromErrors.reader)
        leash = Collector(fromLeash.reader)
        Self.feed(input, to: toInput.writer)
    }

    deinit { life.send(SIGKILL) }

    /// Writes from a thread of its own: the program may take its time, or end without reading all of it.
    private static func feed(_ bytes: Data, to handle: FileHandle) {
        Thread {
            // A reader that has gone shows as a failed write, which is the program's own affair.
            var pipe = sigset_t()
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &pipe, nil)
            try? handle.write(contentsOf: bytes)
            try? handle.close()
        }
        .start()
    }
}

extension Program {
    /// What it has written to standard output so far.
    package var outputSoFar: String { output.text }

    /// What it has written to standard error, or to its terminal, so far.
    package var errorsSoFar: String { errors.text }

    /// Whether it has ended.
    package var hasEnded: Bool { life.wait(until: .distantPast) != nil }

    /// Sends it a signal, if it has not ended.
    package func send(_ signal: Int32) { life.send(signal) }

    /// Presses Ctrl-C on its terminal.
    package func pressControlC() throws {
        guard let terminal else { preconditionFailure("\(name) was started without a terminal") }
        try terminal.pressControlC()
    }

    /// Waits until standard output so far fulfils a condition.
    package func waitForOutput(within limit: TimeInterval = Limit.standard, _ fulfils: (String) -> Bool) throws {
        try check(output.wait(until: Date(timeIntervalSinceNow: limit), for: fulfils), "standard output")
    }

    /// Waits until what is on standard error, or the terminal, so far fulfils a condition.
    package func waitForErrors(within limit: TimeInterval = Limit.standard, _ fulfils: (String) -> Bool) throws {
        try check(errors.wait(until: Date(timeIntervalSinceNow: limit), for: fulfils), "standard error")
    }

    private func check(_ cameTrue: Bool, _ place: String) throws {
        guard !cameTrue else { return }
        throw ProgramFailure(
            "\(name): what was waited for on \(place) did not come; output: \(outputSoFar) errors: \(errorsSoFar)"
        )
    }

    /// Waits until the program has ended, and with it everything that it started.
    ///
    /// - Throws: ``ProgramFailure`` where that takes longer than the limit, or a child of it lives on.
    package func wait(within limit: TimeInterval = Limit.standard) throws -> Outcome {
        let deadline = Date(timeIntervalSinceNow: limit)
        guard let ending = life.wait(until: deadline) else {
            life.send(SIGKILL)
            throw ProgramFailure("\(name) took longer than \(limit) s; output: \(outputSoFar) errors: \(errorsSoFar)")
        }
        guard leash.waitForEnd(until: deadline) else {
            throw ProgramFailure("\(name) ended with \(ending) and left a process behind")
        }
        guard output.waitForEnd(until: deadline), errors.waitForEnd(until: deadline) else {
            throw ProgramFailure("the output of \(name) has no end")
        }
        return Outcome(ending: ending, bytes: output.data, errors: errors.text)
    }

    /// Runs a program to its end; its parameters are those of the initializer.
    package static func run(
        _ program: String,
        _ arguments: [String],
        in folder: String? = nil,
        environment: [String: String]? = nil,
        input: Data = Data()
    ) throws -> Outcome {
        try Program(program, arguments, in: folder, environment: environment, input: input).wait()
    }

    /// The processes that it has started itself and that have not ended.
    package var children: [Int32] {
        // One list for each thread that started some (proc(5)).
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.flatMap { task in
            let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// Where a program of this name is on the PATH; nil where it is not.
    package static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
