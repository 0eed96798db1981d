import Fleet
import Hosts

/// Deciding on one message as the faithful FCM host does, its JSON and the limits of 100,000 devices included.
struct HostOfFCM: Benchmark {
    static let name = "hosts/fcm-message"

    private static let start: Int64 = 1_793_523_600_000_000_000
    private static let millisecond: Int64 = 1_000_000

    private var host = FCMHost(FCMHost.Configuration(projectID: "example-project", seed: 1))
    private var connection = FCMHost.Connection()
    private var tokens = AccessTokens()
    private var now = Self.start
    private let bodies: HostTexts
    private let headers: [Memory]

    init() throws {
        var random = SplitMix(seed: 1)
        let token = tokens.issue(.init(expiresAt: .max, allowsMessaging: true), using: &random)
        let texts = [
            "POST", "/v1/projects/example-project/messages:send", "Bearer " + String(decoding: token, as: UTF8.self),
        ]
        headers = texts.map { Memory($0) }
        bodies = try HostTexts(
            lane: .fcm,
            before: #"{"message":{"token":""#,
            after: #"","notification":{"title":"pushbench","body":"The quick brown fox jumps over the lazy dog."}}}"#
        )
    }

    mutating func run(_ count: Int) -> UInt64 {
        var request = HostRequest()
        request.method = UnsafeRawBufferPointer(headers[0].bytes)
        request.path = UnsafeRawBufferPointer(headers[1].bytes)
        request.authorization = UnsafeRawBufferPointer(headers[2].bytes)
        var accepted: UInt64 = 0
        for push in 0..<count {
            request.body = bodies[push]
            request.bodyLength = request.body.count
            // A message each millisecond keeps below all limits that refuse.
            now += Self.millisecond
            let answer = host.answer(request, over: &connection, tokens: tokens, at: now)
            accepted &+= answer.reason == nil ? 1 : 0
        }
        precondition(accepted == count, "a message was refused")
        return accepted
    }
}
