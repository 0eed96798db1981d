import LoadPlan
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
        #expect(RetryRule().fate(of: ending, attempts: attempts, wasWritten: wasWritten) == fate)
    }

    @Test("A profile may have pushes sent again, once, whose streams were reset, and changes nothing else")
    func resets() {
        var section = RetrySection()
        section.resets = true
        for ending in RetryRule.Ending.allCases {
            for attempts in 1...2 {
                let fate = RetryRule(section).fate(of: ending, attempts: attempts, wasWritten: true)
                let isNew = ending == .reset && attempts == 1
                let usual = RetryRule().fate(of: ending, attempts: attempts, wasWritten: true)
                #expect(fate == (isNew ? .back : usual))
            }
        }
    }

    @Test(
        "What was never written may go anywhere, as often as need be",
        arguments: RetryRule.Ending.allCases.filter { $0 != .answered },
        [0, 1, 2]
    )
    func unwritten(ending: RetryRule.Ending, attempts: Int) {
        #expect(RetryRule().fate(of: ending, attempts: attempts, wasWritten: false) == .back)
    }
}
