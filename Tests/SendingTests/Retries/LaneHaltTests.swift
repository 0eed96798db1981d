import Push
import Testing

@testable import Sending

@Suite("Lane halt and token renewal")
struct LaneHaltTests {
    @Test("The first configuration fault halts, once; no other answer does", arguments: Disposition.allCases)
    func fault(disposition: Disposition) {
        var halt = LaneHalt()
        for _ in 0..<1000 where disposition != .configurationFault { #expect(halt.answered(disposition) == false) }
        #expect(halt.answered(.configurationFault) == true)
        #expect(halt.isHalted && halt.cause == .configurationFault)
        #expect(halt.answered(.configurationFault) == false)
    }

    @Test("More bad tokens than allowed halt, once enough answers are in")
    func badTokens() {
        var halt = LaneHalt(mostBadTokens: 0.1)
        // 10 of 99 are more than a tenth, but too few answers.
        for _ in 0..<89 { #expect(halt.answered(.delivered) == false) }
        for _ in 0..<5 { #expect(halt.answered(.removeDevice) == false) }
        for _ in 0..<5 { #expect(halt.answered(.invalidDevice) == false) }
        // 10 of 100 are not more than a tenth; 11 of 101 are.
        #expect(halt.answered(.delivered) == false)
        #expect(halt.answered(.invalidDevice) == true)
        #expect(halt.cause == .badTokens)
        #expect(halt.answered(.invalidDevice) == false)
    }

    @Test("Another worker's halt counts once")
    func other() {
        var halt = LaneHalt()
        #expect(halt.halt(.badTokens) == true)
        #expect(halt.halt(.configurationFault) == false)
        #expect(halt.cause == .badTokens)
    }

    @Test(
        "A token is renewed for a push's first complaint, unless it is too young to have expired",
        arguments: [
            (TokenSchedule.Rejection.alreadyRenewed, 1, TokenRenewal.Fate.again), (.renewing(from: 100), 1, .again),
            (.renewing(from: 101), 1, .fault), (.alreadyRenewed, 2, .fault), (.renewing(from: 0), 2, .fault),
        ]
    )
    func renewal(rejection: TokenSchedule.Rejection, complaints: Int, fate: TokenRenewal.Fate) {
        #expect(TokenRenewal.fate(after: rejection, complaints: complaints, at: 100) == fate)
    }

    @Test("However many pushes meet an expired token, it is signed anew once")
    func once() {
        var schedule = TokenSchedule(policy: .apns)
        #expect(schedule.decide(at: 0) == .refresh)
        schedule.refreshed(issuedAt: 0, at: 0)
        let later = TokenPolicy.apns.spacing
        #expect(schedule.rejected(generation: 1) == .renewing(from: later))
        for _ in 0..<1000 { #expect(schedule.rejected(generation: 1) == .alreadyRenewed) }
        #expect(schedule.decide(at: later) == .refresh)
        #expect(schedule.rejected(generation: 1) == .alreadyRenewed)
        schedule.refreshed(issuedAt: later, at: later)
        #expect(schedule.rejected(generation: 1) == .alreadyRenewed)
        #expect(schedule.isUsable(at: later) && schedule.generation == 2)
    }
}
