import Foundation
import Testing

@testable import pushbench

@Suite("pushbench plan")
struct PlanCommandTests {
    private static let small = ["plan", "--devices", "5000", "--rate", "1000/s", "--seeds", "3"]

    @Test("Answers in text, and again the same")
    func text() throws {
        try Program.inFolder { program in
            let first = try program.run(Self.small)
            #expect(first.code == 0 && first.errors.isEmpty, "\(first)")
            for word in [
                "finish    p50", "limit     none", "quota     fcm", "phase", "cpu", "bytes", "tokens", "assumed",
            ] {
                #expect(first.output.contains(word), "\(word)")
            }
            #expect(try program.run(Self.small).output == first.output)
            #expect(try program.names().isEmpty)
        }
    }

    @Test("Answers as JSON and CSV, and as files with a page")
    func forms() throws {
        try Program.inFolder { program in
            let json = try program.run(Self.small + ["--json", "--what-if", "connections=1", "--solve", "connections"])
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect(answer["pushbench"] as? String == "plan" && json.output.split(separator: "\n").count == 1)
            let plan = try #require(answer["plan"] as? [String: Any])
            #expect(plan["pushes"] as? Int == 5000 && answer["whatIf"] != nil && answer["solved"] != nil)
            let csv = try program.run(Self.small + ["--csv"]).output.split(separator: "\n")
            #expect(csv.first == "t_s,step_s,lane,sent,delivered,refused,quota_share,in_flight" && csv.count > 100)
            let files = try program.run(Self.small + ["--out", "plan", "--quiet"])
            #expect(files.code == 0 && files.output.isEmpty)
            let page = try program.read("plan/plan.html")
            #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<svg") && page.contains("Assumed"))
            #expect(
                try program.read("plan/plan.csv").hasPrefix("t_s,")
                    && program.read("plan/plan.json").contains("\"finish\"")
            )
        }
    }

    @Test("--what-if shows the difference, in short forms and paths")
    func whatIf() throws {
        try Program.inFolder { program in
            let words = Self.small + ["--what-if", "rate=500/s", "--what-if", "mock.serviceTime=1s"]
            let outcome = try program.run(words)
            #expect(outcome.code == 0 && outcome.output.contains("what if rate=500/s, mock.serviceTime=1s"))
            #expect(outcome.output.contains("finish p50") && outcome.output.contains("connections needed"))
        }
    }

    @Test("A deadline that is missed is a failed threshold")
    func missed() throws {
        try Program.inFolder { program in
            let words = ["plan", "--devices", "5000", "--rate", "1000/s", "--deadline", "2s", "--seeds", "1"]
            let outcome = try program.run(words)
            #expect(outcome.code == 2 && outcome.output.contains("the deadline of 2 s is missed"))
        }
    }

    @Test(
        "What contradicts itself gets one clear line",
        arguments: [
            (
                ["--solve", "deadline", "--deadline", "15m"], 64,
                "--deadline gives what --solve deadline asks for; leave out one of them"
            ),
            (
                ["--solve", "connections", "--connections", "3", "--rate", "1/s"], 64,
                "--connections gives what --solve"
            ),
            (["--solve", "money"], 64, "--solve is money; allowed: rate, devices, deadline, connections, quota"),
            (["--solve", "devices"], 1, "campaign.deadline is missing; --solve devices asks how many"),
            (["--quota-used", "1.5"], 1, "campaign.quotaUsed is 1.5; allowed: a share from 0 to 1"),
            (["--bad-tokens", "2"], 1, "fleet.defects.unregistered is 2; allowed: a share from 0 to 1"),
            (
                ["--rate", "20000/s", "--within-quota"], 1,
                "asks for 20000/s on fcm, above the 10000/s that are left of its quota"
            ),
            (["--devices", "9M", "--rate", "1/s"], 1, "campaign.rate makes the campaign last longer than 24h"),
            (["--deadline", "soon"], 1, "campaign.deadline is \"soon\"; allowed: a time such as"),
            (["--lane", "gcm"], 64, "--lane is gcm; allowed: apns-production, apns-sandbox, fcm"),
            (["--what-if", "connections"], 64, "--what-if is connections; allowed: KEY=VALUE"),
            (["--json", "--csv"], 64, "--json and --csv exclude each other"),
            (["--quiet"], 64, "--quiet without --out"),
            (["--from", "nowhere"], 1, "nowhere/run.json"), (["missing.json"], 1, "missing.json"),
            (["--set", "campaign.devises=1"], 1, "campaign.devises is not a known key; did you mean \"devices\"?"),
        ] as [([String], Int32, String)]
    )
    func contradictions(words: [String], code: Int32, message: String) throws {
        try Program.inFolder { program in
            let outcome = try program.run(["plan"] + words)
            #expect(outcome.code == code && outcome.output.isEmpty, "\(outcome)")
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 1 && outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    @Test("A file's errors name file, line and field")
    func file() throws {
        try Program.inFolder { program in
            try program.write("{\n  campaign: {\n    quotaUsed: 2 } }\n", to: "launch.json")
            let outcome = try program.run(["plan", "launch.json"])
            #expect(outcome.code == 1)
            #expect(
                outcome.errors == "pushbench: launch.json:3: campaign.quotaUsed is 2; allowed: a share from 0 to 1\n"
            )
        }
    }

    @Test("A fleet that is listed counts by its lanes")
    func listed() throws {
        try Program.inFolder { program in
            try program.write(
                "{ fleet: { size: 1000, mix: { \"apns-production\": 0.25, fcm: 0.75 } } }",
                to: "made.json"
            )
            #expect(try program.run("fleet", "made.json", "--out", "devices.csv").code == 0)
            try program.write(
                "{ fleet: { csv: \"devices.csv\" }, campaign: { deadline: \"10s\", seeds: 1 } }",
                to: "listed.json"
            )
            let csv = try program.run("plan", "listed.json", "--csv")
            #expect(csv.code == 0, "\(csv)")
            let sent = csv.output.split(separator: "\n").dropFirst()
                .reduce(into: [:] as [Substring: Int]) { sums, line in
                    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
                    sums[fields[2], default: 0] += Int(fields[3]) ?? 0
                }
            #expect(sent == ["apns-production": 250, "fcm": 750])
        }
    }
}
