import Testing

@testable import Sending

@Suite("Retry rule")
struct RetryRuleTests {
    @Test(
        "What the peer has not processed is sent again once, all else may have been delivered",
        arguments: [
            (.answered, 1, true, .answered),
            (.refused, 1, true, .back),
            (.refused, 2, true, .failed(.streamRefused)),
            (.reset, 1, true, .failed(.streamReset)),
            (.connectionLost, 1, true, .failed(.connectionLost)),
            (.connectionLost, 2, true, .failed(.connectionLost)),
            (.protocolError, 1, true, .failed(.protocolError)),
        ] as [(RetryRule.Ending, Int, Bool, RetryRule.Fate)]
    )
    func written(ending: RetryRule.Ending, attempts: Int, wasWritten: Bool, fate: RetryRule.Fate) {
        #expect(RetryRule.fate(of: ending, attempts: attempts, wasWritten: wasWritten) == fate)
    }

    @Test(
        "What was never written may go anywhere, as often as need be",
        arguments: RetryRule.Ending.allCases.filter { $0 != .answered },
        [0, 1, 2]
    )
    func unwritten(ending: RetryRule.Ending, attempts: Int) {
        #expect(RetryRule.fate(of: ending, attempts: attempts, wasWritten: false) == .back)
    }
}
