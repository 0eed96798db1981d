import Foundation
import Testing

@testable import pushbench

@Suite("pushbench fleet")
struct FleetCommandTests {
    static let profile = """
        // A fleet with some of everything.
        {
            name: "sample", seed: 42,
            fleet: {
                size: "20_000",
                apps: [{ topic: "com.example.app", share: 0.75 }, { topic: "com.example.other", share: 0.25 }],
                longTokenShare: 0.1, longestToken: 160,
                defects: {
                    unregistered: 0.01, malformed: 0.005, wrongEnvironment: 0.005, wrongTopic: 0.005, otherSender: 0.005,
                },
            },
        }
        """

    private func withProfile(_ body: (Program) throws -> Void) throws {
        try Program.inFolder { program in
            try program.write(Self.profile, to: "sample.json")
            try body(program)
        }
    }

    @Test func aRangeIsWrittenAsCSV() throws {
        try withProfile { program in
            let outcome = try program.run("fleet", "sample.json", "--from", "10", "--count=3")
            #expect(outcome.code == 0 && outcome.errors == "")
            #expect(
                outcome.output == """
                    index,provider,environment,app,token,defect
                    10,fcm,,com.example.app,eD6al2kxcFMj7oAgQo9I6_:APA91b_yxZy1L6jDyOvQPhHp43PK0XcKexZkdLIn5sCe-mBdODViXW3JmG2brVuSHNH_SsxdXTJkutM-2E_d8ldtLpJSNfw6JvHbm8OP0l8N6O_FCvQJyhkTHTdo6glThvQNxDwfb,none
                    11,apns,production,com.example.app,29e9f9ac891bde351af44687b326239d52246a4772c896b81e17a132702d055b,none
                    12,fcm,,com.example.app,fVCda4YaUef8z12jVfZ8NK:APA91bZVF5Dij0YNthdHxsqHqv0JYJEaXwebx4WaVwJNba-OFAMcA492kmknCPkF1FFxPKur7FEwGhHsMBuKr7mmqlBcI0lQpCljT_1YTGtjiazcE_-syMLa,none

                    """
            )
        }
    }

    @Test func theMixIsShownAsTables() throws {
        try withProfile { program in
            let outcome = try program.run("fleet", "sample.json", "--summary")
            #expect(outcome.code == 0 && outcome.errors == "")
            #expect(
                outcome.output == """
                    sample · 20,000 devices · seed 42

                    lane             devices   share  token length
                    apns-production    9,000  45.00%  22 to 160, mean 68.6
                    apns-sandbox       1,000   5.00%  20 to 160, mean 67.7
                    fcm               10,000  50.00%  27 to 163, mean 152.3

                    app                devices   share
                    com.example.app     15,007  75.04%
                    com.example.other    4,993  24.97%

                    defect            devices   share  apns-production  apns-sandbox    fcm
                    none               19,550  97.75%            8,795           975  9,780
                    unregistered          192   0.96%               83            11     98
                    wrongEnvironment       50   0.25%               45             5      -
                    malformed              91   0.46%               37             7     47
                    wrongTopic             42   0.21%               40             2      -
                    otherSender            75   0.38%                -             -     75

                    """
            )
        }
    }

    @Test func programsReadTheSameMix() throws {
        try withProfile { program in
            let outcome = try program.run("fleet", "sample.json", "--json", "--from", "0", "--count", "20000")
            let json = try #require(
                JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            )
            #expect(outcome.code == 0 && outcome.output.split(separator: "\n").count == 1)
            #expect(json["name"] as? String == "sample" && json["devices"] as? Int == 20_000)
            let lanes = try #require(json["lanes"] as? [[String: Any]])
            #expect(lanes.map { $0["devices"] as? Int } == [9_000, 1_000, 10_000])
            #expect(lanes.map { $0["longestToken"] as? Int } == [160, 160, 163])
            #expect(
                (lanes[2]["defects"] as? [String: Int]) == [
                    "none": 9_780, "unregistered": 98, "malformed": 47, "otherSender": 75,
                ]
            )
            let apps = try #require(json["apps"] as? [[String: Any]])
            #expect(apps.map { $0["devices"] as? Int } == [15_007, 4_993])
            try program.write("user,provider,token\n1,fcm,abc", to: "f.csv")
            let listed = try program.run("fleet", "--inspect", "f.csv", "--json")
            #expect(listed.output.contains(#""endsWithoutNewline":true"#), "\(listed.output)")
            #expect(listed.output.contains(#""ignoredColumns":["user"]"#))
        }
    }

    @Test func aFileReadBackHasTheSameMix() throws {
        try withProfile { program in
            let range = ["--from", "5000", "--count", "2000"]
            let written = try program.shell(
                "$PUSHBENCH fleet sample.json \(range.joined(separator: " ")) --summary --out f.csv"
            )
            #expect(written.code == 0 && written.errors == "")
            #expect(try program.names() == ["f.csv", "sample.json"])
            let inspected = try program.run("fleet", "--inspect", "f.csv")
            #expect(inspected.code == 0 && inspected.errors == "")
            let tables = written.output.split(separator: "\n", maxSplits: 1)
            #expect(tables[0] == "sample · 2,000 devices · seed 42 · 5,000 to 6,999 of 20,000")
            #expect(inspected.output.hasPrefix("f.csv · 2,000 devices\n" + tables[1]))
            #expect(
                inspected.output.hasSuffix(
                    """

                    tokens     devices   share
                    synthetic    1,991  99.55%  from a generated fleet
                    foreign          0   0.00%  perhaps of real devices
                    misshapen        9   0.45%  refused by any host

                    """
                )
            )
            let piped = try program.shell(
                "$PUSHBENCH fleet sample.json --from 5000 --count 2000 | $PUSHBENCH fleet --inspect -"
            )
            #expect(piped.output == inspected.output.replacing("f.csv", with: "-"))
        }
    }

    @Test func theSummaryStaysOutOfCSVOnStandardOutput() throws {
        try withProfile { program in
            let outcome = try program.run("fleet", "sample.json", "--count", "2", "--summary", "--out", "-")
            #expect(outcome.code == 0 && outcome.output.split(separator: "\n").count == 3)
            #expect(outcome.errors.hasPrefix("sample · 2 devices · seed 42 · 0 to 1 of 20,000\n\nlane "))
        }
    }

    @Test func optionsChangeTheProfile() throws {
        try withProfile { program in
            let set = try program.run("fleet", "sample.json", "--set", "seed=7", "--set", "fleet.size=30", "--summary")
            let short = try program.run("fleet", "sample.json", "--seed=7", "--size", "30", "--summary")
            #expect(set.output == short.output)
            #expect(set.output.hasPrefix("sample · 30 devices · seed 7\n"))
        }
    }

    @Test func aProfileMayTakeItsFleetFromCSV() throws {
        try withProfile { program in
            #expect(try program.run("fleet", "sample.json", "--count", "50", "--out", "f.csv").code == 0)
            let again = try program.run("fleet", "sample.json", "--set", "fleet.csv=f.csv", "--from", "49", "--summary")
            #expect(again.output.hasPrefix("sample · 1 devices · f.csv · 49 to 49 of 50\n"))
            let whole = try program.run("fleet", "sample.json", "--set", "fleet.csv=f.csv")
            #expect(try whole.output == program.read("f.csv"))
        }
    }

    @Test func whatAFileHasBesidesIsSaid() throws {
        try Program.inFolder { program in
            try program.write("user,provider,token,plan\n1,fcm,abc,free\n2,fcm,def,paid", to: "f.csv")
            let outcome = try program.run("fleet", "--inspect", "f.csv")
            #expect(outcome.code == 0)
            #expect(
                outcome.output.hasSuffix(
                    """
                    misshapen        2  100.00%  refused by any host

                    ignored columns: user, plan

                    the last line has no end: if the file was cut short there, its last device is wrong

                    """
                )
            )
            #expect(outcome.output.contains("\n(none)        2  100.00%\n"))
        }
    }

    @Test(
        arguments: [
            ("fleet sample.json --from 20001", 64, "--from is 20001; the fleet has 20,000 devices, counted from 0"),
            ("fleet sample.json --from 19990 --count 11", 64, "--count is 11; from device 19990 on there are 10"),
            ("fleet sample.json --count -1", 64, "--count is -1; allowed: a whole number from 0 to 1000000000000"),
            ("fleet --inspect f.csv --seed 3", 64, "--inspect shows the fleet of a file as it is; leave out --seed"),
            (
                "fleet --inspect f.csv sample.json", 64,
                "--inspect shows the fleet of a file as it is; leave out sample.json"
            ),
            (
                "fleet sample.json --size 0", 1,
                "--set: fleet.size is 0; allowed: a whole number from 1 to 1,000,000,000,000"
            ),
            (
                "fleet sample.json --set fleet.apps[0].topic=a/b", 1,
                "sample.json: fleet.apps[0].topic: \"a/b\" is not allowed"
            ),
            ("fleet nosuch.json", 1, "nosuch.json: No such file or directory"),
            ("fleet --inspect nosuch.csv", 1, "nosuch.csv: No such file or directory"),
            ("fleet --inspect .", 1, ".: Is a directory"),
            (
                "fleet --inspect bad.csv", 1,
                "bad.csv: line 3, column provider: \"gcm\" is not allowed; give apns or fcm"
            ),
            ("fleet sample.json --set fleet.csv=bad.csv", 1, "bad.csv: line 3, column provider: "),
            ("fleet sample.json --out nosuch/f.csv", 1, "nosuch/f.csv: No such file or directory"),
            ("fleet sample.json --out .", 1, ".: is a folder"),
        ] as [(String, Int32, String)]
    )
    func whatCannotBeDoneIsOneLine(line: String, code: Int32, message: String) throws {
        try withProfile { program in
            try program.write("provider,token\nfcm,abc\ngcm,def\n", to: "bad.csv")
            let outcome = try program.shell("$PUSHBENCH \(line)")
            #expect(outcome.code == code && outcome.output == "")
            #expect(outcome.errors.hasPrefix("pushbench: " + message), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
            #expect(try program.names() == ["bad.csv", "sample.json"])
        }
    }
}

@Suite("Output files")
struct OutputFileTests {
    @Test func anUnfinishedFileLeavesTheOldOne() throws {
        try Program.inFolder { program in
            try program.write("old", to: "f")
            let path = program.folder.appending(path: "f").path
            var file: OutputFile? = try OutputFile(path)
            try file?.write(Array("new".utf8))
            #expect(try program.read("f") == "old")
            #expect(try program.names().count == 2)
            file = nil
            #expect(try program.read("f") == "old")
            #expect(try program.names() == ["f"])
        }
    }

    @Test func aFinishedFileTakesThePlaceOfTheOldOne() throws {
        try Program.inFolder { program in
            try program.write("old", to: "f")
            let link = program.folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(
                at: link,
                withDestinationURL: program.folder.appending(path: "f")
            )
            let file = try OutputFile(link.path)
            try file.write(Array("new".utf8))
            try file.finish()
            #expect(try program.read("f") == "new" && program.read("link") == "new")
            #expect(try program.names() == ["f", "link"])
        }
    }

    @Test func aDeviceIsWrittenAsItIs() throws {
        let file = try OutputFile("/dev/null")
        #expect(!file.isTemporary)
        try file.write([1, 2, 3])
        try file.finish()
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test func anInterruptedFileDoesNotAppear() throws {
        try Program.inFolder { program in
            try program.write("{ fleet: { size: 1000000000 } }", to: "profile.json")
            // In the foreground one signal is sent; else a second goes to the group, which ends the process at once.
            let line = "timeout --foreground --preserve-status --signal=INT 1 $PUSHBENCH fleet profile.json --out f.csv"
            let outcome = try program.shell(line)
            #expect(outcome.code == 130 && outcome.errors == "")
            #expect(try program.names() == ["profile.json"])
        }
    }
}
