import Foundation
import LoadPlan
import MockHosts
import Push
import TestSupport
import Testing

/// h2load, the load generator of nghttp2.
@Suite(.enabled(if: Program.find("h2load") != nil)) struct H2LoadTests {
    private func load(_ url: String, _ arguments: [String], body: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(body.utf8).write(to: URL(fileURLWithPath: file))
        let result = try Program.run("h2load", ["-d", file] + arguments + [url])
        try #require(result.code == 0, "h2load: \(result.errors)")
        return result.output
    }

    @Test(arguments: [MockPolicy.faithful, .canned]) func everyRequestIsAnswered(_ policy: MockPolicy) throws {
        let mock = try MockFixture { $0.mock.policy = policy }
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        let output = try load(
            mock.url(.apnsProduction) + GoodRequest.apnsPath,
            ["-n", "5000", "-c", "4", "-m", "100"] + headers.flatMap { ["-H", "\($0.0): \($0.1)"] },
            body: GoodRequest.payload
        )
        #expect(output.contains("5000 total, 5000 started, 5000 done, 5000 succeeded, 0 failed, 0 errored, 0 timeout"))
        #expect(output.contains("status codes: 5000 2xx, 0 3xx, 0 4xx, 0 5xx"))
        let summary = try mock.stop()
        #expect(summary.count(.apnsProduction, 200) == 5000)
        #expect(summary.refusedStreams == 0)
    }

    @Test func refusalsAreAnswersToo() throws {
        let mock = try MockFixture { $0.mock.serviceTime = .uniform(from: 0, to: 5_000_000) }
        let output = try load(
            mock.url(.fcm) + GoodRequest.fcmPath,
            ["-n", "2000", "-c", "2", "-m", "100"],
            body: GoodRequest.fcmBody
        )
        #expect(output.contains("2000 done, 0 succeeded, 2000 failed, 0 errored, 0 timeout"))
        #expect(output.contains("status codes: 0 2xx, 0 3xx, 2000 4xx, 0 5xx"))
    }
}
