import Hosts
import Testing

@Suite struct ProviderTokenRulesTests {
    private let rules = ProviderTokenRules(keys: [
        ProviderKey(id: "ABC123DEFG", team: "TEAM123456"), ProviderKey(id: "SECONDKEY0", team: "OTHERTEAM0"),
    ])

    private func facts(_ change: (inout ProviderTokenFacts) -> Void = { _ in }) -> ProviderTokenFacts {
        var facts = ProviderTokenFacts(
            algorithm: "ES256",
            keyID: "ABC123DEFG",
            teamID: "TEAM123456",
            issuedAt: 5,
            signature: .genuine
        )
        change(&facts)
        return facts
    }

    @Test func aGenuineTokenNamesItsKeyAndTime() {
        #expect(rules.standing(of: facts()) == .genuine(key: 0, issuedAt: 5))
        let second = facts {
            $0.keyID = "SECONDKEY0"
            $0.teamID = "OTHERTEAM0"
        }
        #expect(rules.standing(of: second) == .genuine(key: 1, issuedAt: 5))
    }

    @Test func everythingElseIsInvalid() {
        #expect(rules.standing(of: nil) == .invalid)
        #expect(rules.standing(of: facts { $0.algorithm = "none" }) == .invalid)
        #expect(rules.standing(of: facts { $0.algorithm = "RS256" }) == .invalid)
        #expect(rules.standing(of: facts { $0.signature = .wrong }) == .invalid)
        #expect(rules.standing(of: facts { $0.signature = .unknownKey }) == .invalid)
        #expect(rules.standing(of: facts { $0.keyID = "UNKNOWN000" }) == .invalid)
        #expect(rules.standing(of: facts { $0.teamID = "OTHERTEAM0" }) == .invalid)
        #expect(rules.standing(of: facts { $0.issuedAt = nil }) == .invalid)
    }

    @Test(arguments: [
        ("bearer abc", "abc"), ("Bearer abc", "abc"), ("BEARER  abc ", "abc"), ("bearer\tabc", "abc"),
        ("bearer", nil), ("bearer ", nil), ("bearer   ", nil), ("basic abc", nil), ("bearerabc", nil), ("", nil),
    ])
    func theBearerTokenIsFound(_ header: String, _ token: String?) {
        let request = WrittenRequest(path: "/", headers: ["authorization": header])
        let found = BearerToken.find(in: request.view.authorization)
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == token)
    }
}
