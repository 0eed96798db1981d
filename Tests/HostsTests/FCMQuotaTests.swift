import Hosts
import Testing

private let second: Int64 = 1_000_000_000
private let minute = 60 * second

/// What counts towards FCM's limits.
@Suite struct FCMQuotaTests {
    private static let token = FCMFixture.deviceToken

    /// Answers in order to one request, sent so often, a second apart.
    private func reasons(
        _ body: String,
        times: Int,
        apart: Int64 = second,
        _ change: (inout FCMHost.Configuration) -> Void,
        request edit: (FCMFixture, WrittenRequest) -> Void = { _, _ in }
    ) -> [FCMReason?] {
        var fixture = FCMFixture(change)
        let request = fixture.request(body)
        edit(fixture, request)
        return (0..<times).map { fixture.answer(request, at: FCMFixture.now + Int64($0) * apart).reason }
    }

    @Test func refusedMessagesCountTowardsTheProjectsMinute() {
        let small: (inout FCMHost.Configuration) -> Void = {
            $0.quota = .init(2, per: minute)
            $0.quotaPhase = FCMFixture.now % minute
        }
        let good = #"{"message":{"token":"\#(Self.token)"}}"#
        #expect(reasons(good, times: 3, small) == [nil, nil, .projectQuota])
        #expect(reasons("nonsense", times: 3, small) == [.invalidBody, .invalidBody, .projectQuota])
        #expect(reasons("{}", times: 3, small) == [.missingRecipient, .missingRecipient, .projectQuota])
        // A 429 does not count, so the next minute is whole.
        #expect(
            reasons(good, times: 7, apart: 20 * second, small)
                == [nil, nil, .projectQuota, nil, nil, .projectQuota, nil]
        )
    }

    @Test func strangersDoNotSpendTheProjectsMinute() {
        let small: (inout FCMHost.Configuration) -> Void = { $0.quota = .init(1, per: minute) }
        let all = reasons("{}", times: 3, small) { _, request in request.headers["authorization"] = nil }
        #expect(all == [.missingCredentials, .missingCredentials, .missingCredentials])
        let others = reasons("{}", times: 2, small) { _, request in
            request.path = "/v1/projects/stranger/messages:send"
        }
        #expect(others == [.permissionDenied, .permissionDenied])
    }

    @Test func aDeviceHasItsOwnLimitAndValidationNone() {
        let small: (inout FCMHost.Configuration) -> Void = {
            $0.deviceLimits = DeviceLimits(short: .init(2, per: minute))
        }
        let target = #""token":"\#(Self.token)""#
        #expect(reasons("{\"message\":{\(target)}}", times: 3, small) == [nil, nil, .deviceQuota])
        #expect(reasons("{\"validate_only\":true,\"message\":{\(target)}}", times: 3, small) == [nil, nil, nil])
        #expect(reasons(#"{"message":{"topic":"t"}}"#, times: 3, small) == [nil, nil, nil])
    }

    @Test func collapsibleMessagesAreAcceptedAndHeldBack() {
        for (message, isCollapsible) in [
            (#""data":{"k":"v"}"#, false), (#""notification":{"title":"t"}"#, true),
            (#""android":{"notification":{"title":"t"}}"#, true), (#""android":{"collapse_key":"c"}"#, true),
            (#""android":{"collapseKey":"c"}"#, true), (#""android":{"collapse_key":""}"#, false),
        ] {
            var fixture = FCMFixture()
            let request = fixture.request(#"{"message":{"token":"\#(Self.token)",\#(message)}}"#)
            let answers = (0..<22).map { _ in fixture.answer(request) }
            #expect(answers.allSatisfy { $0.reason == nil })
            #expect(answers.map(\.isDelayed) == (0..<22).map { isCollapsible && $0 >= 20 })
            #expect(fixture.host.delayed == (isCollapsible ? 2 : 0))
        }
    }
}
