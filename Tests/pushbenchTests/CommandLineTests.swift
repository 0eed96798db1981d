import Foundation
import LoadPlan
import Report
import Sending
import Testing

@testable import pushbench

@Suite("Command line")
struct CommandLineTests {
    /// A form with every kind of option.
    static let form = CommandForm(
        name: "sample",
        summary: "Does nothing.",
        operands: "[FILE]",
        operandCount: 0...1,
        options: [
            .value("size", "N", "How many.", default: "10"), .flag("quiet", "Say nothing."),
            .values("set", "PATH=VALUE", "Change something."),
        ],
        example: "pushbench sample --size 3"
    )

    @Test func helpShowsTheTableAndAnExample() {
        #expect(
            Self.form.help == """
                Usage: pushbench sample [FILE] [options]

                Does nothing.

                Options:
                  --size N          How many (default: 10).
                  --quiet           Say nothing.
                  --set PATH=VALUE  Change something.
                  --help            Show this help.

                Example:
                  pushbench sample --size 3

                """
        )
    }

    @Test(arguments: [
        ["--size", "3", "x"], ["--size=3", "x"], ["x", "--size=3"], ["--size", "3", "--", "x"],
        ["--size=3", "--", "x"],
    ])
    func anOptionMayStandAnywhereInEitherForm(words: [String]) throws {
        let arguments = try Arguments(words, for: Self.form)
        #expect(arguments.value("size") == "3" && arguments.operands == ["x"])
        #expect(try arguments.integer("size", in: 0...9) == 3)
        #expect(!arguments.has("quiet") && arguments.all("set") == [])
    }

    @Test func valuesAreTakenAsTheyAre() throws {
        let arguments = try Arguments(["--set", "a=b=c", "--set=--size", "--set=", "--quiet", "-"], for: Self.form)
        #expect(arguments.all("set") == ["a=b=c", "--size", ""])
        #expect(arguments.has("quiet") && !arguments.has("size") && arguments.operands == ["-"])
        #expect(try Arguments(["--size=1_000"], for: Self.form).integer("size", in: 0...1000) == 1000)
    }

    @Test(arguments: [
        (["--sise", "3"], "sample: unknown option --sise; did you mean --size?"),
        (["--zzz"], "sample: unknown option --zzz"), (["-q"], "sample: unknown option -q"),
        (["--hepl"], "sample: unknown option --hepl; did you mean --help?"),
        (["--size"], "--size needs a value: N"), (["--size=1", "--size=2"], "--size is given twice"),
        (["--quiet=yes"], "--quiet takes no value"), (["a", "b"], "sample: unexpected argument b"),
    ])
    func wrongUsageIsOneLine(words: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try Arguments(words, for: Self.form) }
        #expect(failure == CommandFailure(message, code: .usage))
    }

    @Test(arguments: ["", "x", "-1", "10", "1.5", "99999999999999999999"])
    func numbersAreChecked(text: String) throws {
        let arguments = try Arguments(["--size=\(text)"], for: Self.form)
        let failure = #expect(throws: CommandFailure.self) { try arguments.integer("size", in: 0...9) }
        #expect(failure?.message == "--size is \(text); allowed: a whole number from 0 to 9")
        #expect(failure?.code == .usage)
    }

    @Test func everyCommandsExampleCanBeTyped() throws {
        for command in Commands.all {
            let form = command.form
            let words = form.example.split(separator: " ").map(String.init)
            #expect(words.starts(with: ["pushbench", form.name]))
            let arguments = try Arguments(Array(words.dropFirst(2)), for: form)
            #expect(throws: Never.self) { try command.init(arguments) }
            #expect(form.help.contains(form.example) && form.help.contains(form.summary))
            #expect(form.options.allSatisfy { $0.help.hasSuffix(".") && $0.name != "help" })
        }
        #expect(Set(Commands.all.map { $0.form.name }).count == Commands.all.count)
    }

    @Test func exitCodesAreTheDocumentedOnes() {
        let codes: [ExitCode] = [.success, .failure, .thresholdFailed, .invalid, .usage, .interrupted]
        #expect(codes.map(\.rawValue) == [0, 1, 2, 3, 64, 130])
    }

    @Test func aFailedThresholdCountsOnlyInARunThatCanBeBelieved() throws {
        var record = ResultFolderTests.record
        #expect(ExitCode(judging: record) == .success)
        let profile = try Profile(json: "{thresholds: {'all.outcomes': ['count > 0']}}", file: "p.json")
        record.thresholds = record.results(of: profile.thresholds)
        #expect(ExitCode(judging: record) == .thresholdFailed)
        record.verdict = Verdict(causes: [VerdictCause(.stall, "a worker stood still")])
        #expect(ExitCode(judging: record) == .invalid)
    }

    @Test func aFaultOfARealHostsLaneIsAFailureUnlessPushbenchItselfHasABug() {
        var record = ResultFolderTests.record
        record.interrupted = true
        #expect(record.wasInterruptedByUser)
        record.faultyLane = "fcm"
        #expect(!record.wasInterruptedByUser && ExitCode(judging: record) == .failure)
        record.verdict = Verdict(causes: [VerdictCause(.stall, "a worker stood still")])
        #expect(ExitCode(judging: record) == .failure)
        record.verdict = Verdict(causes: [VerdictCause(.accounting, "a push was lost")])
        #expect(ExitCode(judging: record) == .invalid)
        record.faultyLane = nil
        record.generator.failure = "worker 0: epoll_wait: Invalid argument"
        #expect(!record.wasInterruptedByUser)
    }
}

@Suite("The program")
struct ProgramTests {
    @Test func helpAndVersionGoToStandardOutput() throws {
        try Program.inFolder { program in
            for words in [["--help"], ["-h"], ["help"]] {
                let help = try program.run(words[0])
                #expect(help.code == 0 && help.errors == "" && help.output == Commands.help)
            }
            let version = try program.run("--version")
            #expect(version.code == 0 && version.errors == "" && version.output == "pushbench 0.1.0\n")
            let command = try program.run("fleet", "--from", "1", "--help")
            #expect(command.code == 0 && command.errors == "" && command.output == FleetCommand.form.help)
        }
    }

    @Test func wrongUsageGoesToStandardErrorWithCode64() throws {
        try Program.inFolder { program in
            let nothing = try program.run()
            #expect(nothing.code == 64 && nothing.output == "" && nothing.errors == Commands.help)
            let cases = [
                (["flete"], "pushbench: unknown command flete; did you mean fleet?\n"),
                (["fleet", "--sed=1"], "pushbench: fleet: unknown option --sed; did you mean --seed?\n"),
            ]
            for (words, message) in cases {
                let outcome = try program.shell("$PUSHBENCH " + words.joined(separator: " "))
                #expect(outcome.code == 64 && outcome.output == "" && outcome.errors == message)
            }
            let unknown = try program.run("zzzzzz")
            #expect(unknown.errors.hasPrefix("pushbench: unknown command zzzzzz; known: run, "))
        }
    }

    @Test func aReaderThatHasGoneEndsItQuietly() throws {
        try Program.inFolder { program in
            try program.write("{}", to: "profile.json")
            let outcome = try program.shell("$PUSHBENCH fleet profile.json | head -n 1")
            #expect(outcome.output == "index,provider,environment,app,token,defect\n")
            #expect(outcome.errors == "")
        }
    }

    @Test func aFullDiskIsNamed() throws {
        try Program.inFolder { program in
            try program.write("{}", to: "profile.json")
            let outcome = try program.shell("$PUSHBENCH fleet profile.json --count 5 > /dev/full")
            #expect(outcome.code == 1)
            #expect(outcome.errors == "pushbench: standard output: No space left on device\n")
        }
    }
}
