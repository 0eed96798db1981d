import Foundation
import Push
import TestSupport
import Testing

extension Processes {
    /// What can be wrong with what a user gives: one clear line, the exit code that goes with it, nothing left behind.
    @Suite("Bad input") struct BadInputTests {
        /// One wrong command line, in a folder that has the files of ``Bench``.
        struct Case: CustomTestStringConvertible, Sendable {
            var words: [String]
            /// What is said on standard error, after `pushbench: `.
            var line: String
            var code: Int32 = 1

            /// - Parameter command: words with a space between them; `''` is an empty one.
            init(_ command: String, _ line: String, code: Int32 = 1) {
                words = command.split(separator: " ").map { $0 == "''" ? "" : String($0) }
                self.line = line
                self.code = code
            }

            var testDescription: String { words.joined(separator: " ") }
        }

        static let files = [
            "good.json": """
            { load: { phases: [{ duration: "100ms", rate: "100/s" }] },
              lanes: { fcm: { timeouts: { handshake: "500ms" } } } }
            """,
            "key.json": "{\n  flet: {}\n}\n", "value.json": "{ fleet: { size: 0 } }",
            "type.json": "{ load: { phases: [{\n rate: 5 }] } }", "text.json": "[1, 2",
            "bad.csv": """
            index,provider,environment,app,token
            0,apns,production,com.example.app,\(String(repeating: "ab", count: 32))
            1,apns,nowhere,com.example.app,\(String(repeating: "cd", count: 32))

            """,
            "hosts.json": "{}\n",
        ]

        static let commandLines: [Case] = [
            Case("", "", code: 64),
            Case("rnu", "unknown command rnu; did you mean run?", code: 64),
            Case("run --ouut x", "run: unknown option --ouut; did you mean --out?", code: 64),
            Case("run a b", "run: unexpected argument b", code: 64),
            Case("run good.json --workers 0", "--workers is 0; allowed: a whole number from 1 to 256", code: 64),
            Case("run good.json --out", "--out needs a value: DIR", code: 64),
            Case(
                "mock --port fcm=65536",
                "--port is fcm=65536; allowed: NAME=0 to NAME=65535, NAME one of "
                    + "apns-production, apns-sandbox, fcm, oauth, apns-production-alternate, apns-sandbox-alternate, "
                    + "apns-production-channels, apns-sandbox-channels, control",
                code: 64
            ),
            Case("report", "report: missing argument RESULT...", code: 64),
        ]

        static let profiles: [Case] = [
            Case("run none.json", "none.json: No such file or directory"),
            Case(
                "run",
                "Profiles/mixed-fleet.json: No such file or directory (the default profile; name another, or "
                    + "run in pushbench's folder)"
            ),
            Case("run key.json", #"key.json:2: flet is not a known key; did you mean "fleet"?"#),
            Case(
                "run value.json",
                "value.json:1: fleet.size is 0; allowed: a whole number from 1 to 1,000,000,000,000"
            ),
            Case(
                "run type.json",
                #"type.json:2: load.phases[0].rate is 5; allowed: a rate such as "10000/s" or "#
                    + #""600k/min", above zero and at most 10000000/s"#
            ),
            Case(
                "run text.json",
                #"text.json:1: not valid JSON: expected "," or "]" after a list's element, but the file ends"#
            ),
            Case(
                "run good.json --set seed=x",
                #"--set: seed is "x"; allowed: a whole number from 0 to 18,446,744,073,709,551,615"#
            ),
            Case("mock key.json", #"key.json:2: flet is not a known key; did you mean "fleet"?"#),
            Case("mock --set mock.policy=strict", #"--set: mock.policy is "strict"; allowed: "faithful", "canned""#),
        ]

        static let inputs: [Case] = [
            Case("run good.json --set fleet.csv=none.csv", "none.csv: No such file or directory"),
            Case(
                "run good.json --set fleet.csv=bad.csv",
                #"bad.csv: line 3, column environment: "nowhere" is not allowed; give production or sandbox"#
            ),
            Case(
                "fleet --inspect bad.csv",
                #"bad.csv: line 3, column environment: "nowhere" is not allowed; give production or sandbox"#
            ),
            Case("run good.json --hosts none.json", "none.json: No such file or directory"),
            Case(
                "run good.json --hosts hosts.json",
                "hosts.json: the first line is not what `pushbench mock` prints when it is ready"
            ),
            Case("report none", "none/run.json: No such file or directory"),
            Case("report text.json", "text.json: is not JSON"),
            Case("report hosts.json", "hosts.json: schema: is missing"),
        ]

        /// Places that results can't go to; root may write everywhere, so they are places where nobody can.
        static let outputs: [Case] = [
            Case("run good.json --out good.json", "good.json: is not a folder"),
            Case("run good.json --out good.json/x", "good.json: is not a folder"),
            Case("run good.json --out /dev/full", "/dev/full: is not a folder"),
            Case("run good.json --out ''", "\"\": is no name for a new folder"),
            Case("run good.json --out new/..", "\"new/..\": is no name for a new folder"),
            Case("run good.json --out /proc/x", "/proc/x: No such file or directory"),
            Case("run good.json --out /proc/x/y", "/proc/x: No such file or directory"),
            Case("report none --out /proc/x", "none/run.json: No such file or directory"),
            Case("fleet good.json --count 1 --out /proc/x", "/proc/x: No such file or directory"),
            Case("fleet good.json --count 1 --out /dev/full", "/dev/full: No space left on device"),
            Case("mock --state good.json", "good.json: cannot be used: Not a directory"),
            Case("mock --state /proc/x", "/proc/x: cannot be used: No such file or directory"),
        ]

        @Test(arguments: commandLines + profiles + inputs + outputs) func aCommandLine(_ wrong: Case) throws {
            let bench = try Workbench()
            for (name, text) in Self.files { try bench.folder.write(text, to: name) }
            let outcome = try bench.run(wrong.words)
            try Self.expect(outcome, wrong.line, code: wrong.code, in: bench, except: Self.files.keys.sorted())
        }

        /// A file system that is full, if this machine lets us mount a small one for a moment.
        @Test(.enabled(if: canMount, "a small file system can't be mounted here")) func noSpace() throws {
            let script = """
                mkdir full && mount -t tmpfs -o size=20k tmpfs full || exit 99
                "$0" run good.json --quiet --out full/new; echo "code $?" >&2
                "$0" run good.json --quiet --out full; echo "code $?" >&2
                ls -A full >&2; umount full && rmdir full
                """
            let bench = try Workbench()
            let outcome = try runScript(script, in: bench, by: Self.mounting)
            let lines = outcome.errorLines
            try #require(lines.count == 4 && lines[1] == "code 1" && lines[3] == "code 1", "\(lines)")
            #expect(lines[0].wholeMatch(of: /pushbench: full\/new\/[a-z.]+: No space left on device/) != nil)
            #expect(lines[2].wholeMatch(of: /pushbench: full\/[a-z.]+: No space left on device/) != nil)
            // What was measured is not lost.
            #expect(outcome.output.contains("VALID   10 of 10 planned were sent"))
        }

        /// The hosts' process finds it out, and one line is still enough.
        @Test func noPlaceForTemporaryFiles() throws {
            let bench = try Workbench()
            let script = """
                TMPDIR=none "$0" run good.json --out result; echo "code $?" >&2
                """
            let outcome = try runScript(script, in: bench, by: ["/bin/sh"])
            let line = "pushbench: none: no temporary folder can be made here: No such file or directory"
            #expect(outcome.output == "" && outcome.errorLines == [line, "code 1"])
        }

        /// Sockets must not get the numbers of standard output and standard error.
        @Test func startedWithoutStandardDescriptors() throws {
            let bench = try Workbench()
            let script = """
                exec <&- >&- 2>&-; "$0" run good.json --out result \(Workbench.patience.joined(separator: " ")) && rm -r result
                """
            let outcome = try runScript(script, in: bench, by: ["/bin/sh"])
            #expect(outcome.code == 0 && outcome.output == "" && outcome.errors == "")
        }

        @Test(.disabled(if: Sanitizer.isForThreads, "it begins with a file of its own that is beyond the limit"))
        func aFileBeyondTheSizeLimit() throws {
            let bench = try Workbench()
            // In blocks of 512 bytes.
            let script = """
                ulimit -f 20; "$0" run good.json --quiet --out result; echo "code $?" >&2
                """
            let outcome = try runScript(script, in: bench, by: ["/bin/sh"])
            let lines = outcome.errorLines
            try #require(lines.count == 2 && lines[1] == "code 1", "\(lines)")
            #expect(lines[0].wholeMatch(of: /pushbench: result\/[a-z.]+: File too large/) != nil)
        }

        /// Runs a script, in which `$0` is the program, in a folder with the usual files; nothing may be left there.
        private func runScript(_ script: String, in bench: Workbench, by shell: [String]) throws -> Program.Outcome {
            for (name, text) in Self.files { try bench.folder.write(text, to: name) }
            let outcome = try Program.run(
                shell[0],
                shell.dropFirst() + ["-c", script, Workbench.pushbench],
                in: bench.folder.path,
                environment: ["TMPDIR": bench.temporaries.path]
            )
            #expect(try bench.folder.contents() == Self.files.keys.sorted())
            #expect(try bench.temporaries.contents() == [])
            return outcome
        }

        /// Namespaces of our own (unshare(1)), in which mounting needs no rights.
        private static let mounting = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh"]

        private static let canMount: Bool = {
            let words = mounting.dropFirst() + ["-c", "mount -t tmpfs -o size=20k tmpfs /mnt"]
            return (try? Program.run(mounting[0], Array(words)).code) == 0
        }()

        /// Checks that a command said one line and left nothing but what was there.
        static func expect(
            _ outcome: Program.Outcome,
            _ line: String,
            code: Int32 = 1,
            in bench: Workbench,
            except files: [String],
            of what: Comment? = nil
        ) throws {
            #expect(outcome.ending == .exited(code), what)
            #expect(outcome.output == "", what)
            if !line.isEmpty { #expect(outcome.errors == "pushbench: \(line)\n", what) }
            #expect(try bench.folder.contents() == files.sorted(), what)
        }
    }
}
