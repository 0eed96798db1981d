import Foundation
import Testing

@testable import pushbench

@Suite("pushbench tune, as far as nothing is sent")
struct TuneCommandTests {
    @Test(
        "Wrong usage gets one clear line",
        arguments: [
            ([], "tune needs --sweep KNOB=VALUES or --max-rate"),
            (["--sweep", "sockets=1..3"], "--sweep is sockets=1..3; allowed: one of connections, streams, batches"),
            (["--sweep", "streams=9..3"], "--sweep is streams=9..3; allowed: rising whole numbers from 1"),
            (["--sweep", "streams=1..3", "--sweep", "streams=4"], "--sweep streams is given twice"),
            (["--max-rate", "--start", "9/s", "--most", "3/s"], "--start is 9/s, above --most, which is 3/s"),
            (["--sweep", "streams=1..3", "--start", "9/s"], "--start and --most go with --max-rate"),
            (["--max-rate", "--within", "1s"], "--within and --at go with --sweep"),
            (["--max-rate", "--hosts", "real"], "it is for mock hosts only"),
            (["--max-rate", "--lane", "web"], "--lane is web; allowed:"),
            (["--max-rate", "--trial", "1ms"], "--trial is 1ms; allowed: 200ms to 24h"),
            (["--sweep", "streams=1..3", "--at", "fast"], "--at is fast; allowed: a rate such as"),
        ] as [([String], String)]
    )
    func usage(words: [String], message: String) throws {
        try Program.inFolder { program in
            let outcome = try program.run(["tune"] + words)
            #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
            #expect(
                outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains(message),
                "\(outcome.errors)"
            )
            #expect(try program.names().isEmpty)
        }
    }

    @Test("Batches are FCM's alone")
    func batches() throws {
        try Program.inFolder { program in
            try program.write("{ fleet: { mix: { \"apns-production\": 1 } } }", to: "apns.json")
            let outcome = try program.run(["tune", "apns.json", "--sweep", "batches=1..3"])
            #expect(outcome.code == 64 && outcome.errors.contains("they are for fcm only"))
        }
    }
}
