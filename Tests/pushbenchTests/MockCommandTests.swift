import Foundation
import Push
import Testing

@Suite("pushbench mock")
struct MockCommandTests {
    private struct Summary: Decodable {
        var pushbench: String
        var cpuSeconds: Double
    }

    /// Starts a mock with its standard input held open, reads its first line into `$line`, goes on with `script`, and
    /// then closes the input.
    private func withMock(_ options: String = "", _ script: String) -> String {
        """
        mkfifo in out
        "$PUSHBENCH" mock --until-stdin-closes \(options) < in > out &
        mock=$!
        exec 3> in 4< out
        read -r line <&4
        \(script)
        code=$?
        exec 3>&-
        wait $mock || code=99
        exit $code
        """
    }

    @Test func itEndsWithItsStandardInputAndLeavesNothing() throws {
        try Program.inFolder { program in
            let outcome = try program.run("mock", "--until-stdin-closes")
            #expect(outcome.code == 0 && outcome.errors == "")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 2)
            let announcement = try JSONDecoder().decode(HostAnnouncement.self, from: Data(lines[0].utf8))
            #expect(announcement.pushbench == "mock")
            #expect(
                Set(announcement.hosts.keys) == [
                    "apns-production", "apns-sandbox", "fcm", "oauth", "apns-production-alternate",
                    "apns-sandbox-alternate", "apns-production-channels", "apns-sandbox-channels",
                ]
            )
            #expect(announcement.hosts["oauth"]?.hasSuffix("/token") == true)
            #expect(announcement.apns.topics == ["com.example.app"])
            #expect(!FileManager.default.fileExists(atPath: announcement.ca))
            let summary = try JSONDecoder().decode(Summary.self, from: Data(lines[1].utf8))
            #expect(summary.pushbench == "mock-summary" && summary.cpuSeconds > 0)
            #expect(try program.names() == [])
        }
    }

    @Test func aStateFolderIsKeptAndUsedAgain() throws {
        try Program.inFolder { program in
            let first = try program.run("mock", "--until-stdin-closes", "--state", "state")
            #expect(first.code == 0)
            let kept = try ["ca.pem", "server.pem", "AuthKey_ABC123DEFG.p8", "apns.p12"]
                .map { name in
                    try Data(contentsOf: program.folder.appending(path: "state/\(name)"))
                }
            #expect(try program.run("mock", "--until-stdin-closes", "--state", "state").code == 0)
            let again = try ["ca.pem", "server.pem", "AuthKey_ABC123DEFG.p8", "apns.p12"]
                .map { name in
                    try Data(contentsOf: program.folder.appending(path: "state/\(name)"))
                }
            #expect(kept == again)
        }
    }

    @Test func aPortInUseIsOneClearLine() throws {
        try Program.inFolder { program in
            let script = withMock(
                "",
                """
                port=$(printf %s "$line" | sed 's/.*"fcm":"https:[^"]*:\\([0-9]*\\)".*/\\1/')
                "$PUSHBENCH" mock --until-stdin-closes --port apns-sandbox=$port < /dev/null
                """
            )
            let outcome = try program.shell(script)
            #expect(outcome.code == 1)
            #expect(outcome.output == "")
            let line =
                /pushbench: apns-sandbox: 127\.0\.0\.1:\d+ is in use by another process; choose another port with --port apns-sandbox=N\n/
            #expect(outcome.errors.wholeMatch(of: line) != nil)
        }
    }

    @Test func aSignalEndsItInOrder() throws {
        try Program.inFolder { program in
            let outcome = try program.shell(withMock("", "kill -TERM $mock; read -r last <&4; printf %s \"$last\""))
            #expect(outcome.code == 0)
            #expect(outcome.output.contains(#""pushbench":"mock-summary""#))
        }
    }

    @Test(arguments: [
        (["--policy", "strict"], 64, "--policy is strict; allowed: faithful, canned"),
        (["--fault", "goawy"], 64, "--fault: goawy is no known fault; did you mean goaway?"),
        (["--set", "mock.faults=['stall,shar=1']"], 1, "mock.faults[0] is no fault: stall has no option shar"),
        (["--service-time", "soon"], 1, "mock.serviceTime"), (["--set", "mock.polcy=canned"], 1, "policy"),
        (["--port", "web=80"], 64, "NAME one of apns-production, apns-sandbox, fcm, oauth, control"),
        (["--port", "fcm=99999"], 64, "NAME=0 to NAME=65535"),
        (["--port", "fcm=1", "--port", "fcm=2"], 64, "--port fcm is given twice"),
        (["--bind", "localhost"], 1, "localhost is no address to listen on"), (["none.json"], 1, "none.json"),
        (["--state", "/proc/nowhere"], 1, "/proc/nowhere"),
    ])
    func wrongOptionsAreOneClearLine(_ options: [String], _ code: Int32, _ text: String) throws {
        try Program.inFolder { program in
            let words = options.map { "'\($0)'" }.joined(separator: " ")
            let outcome = try program.shell("\"$PUSHBENCH\" mock --until-stdin-closes \(words) < /dev/null")
            #expect(outcome.code == code)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains(text))
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }
}
