import Testing

@testable import LoadPlan

@Suite("Faults as texts")
struct FaultTests {
    @Test("Every fault of the table reads with its value and each of its options")
    func everyFault() throws {
        for form in FaultForm.all {
            let head = form.value.map { form.knob.rawValue + "=" + Self.example($0) } ?? form.knob.rawValue
            let scope = Self.scope(form)
            let needed = form.knob == .freeze ? ",until=9s" : ""
            #expect(try Fault(head + needed).knob == form.knob)
            #expect(try Fault(head + scope).knob == form.knob)
            for option in form.options {
                let value = option.syntax == .flag ? "" : "=" + Self.example(option.syntax)
                // Requests that are dropped must have come before.
                let after = form.knob == .goAway ? ",after=20" : ""
                let fault = try Fault("\(head),\(option.name)\(value)\(after)")
                #expect(fault.has(option.name))
            }
            if form.standard != nil { #expect(try Fault(form.knob.rawValue).value != nil) }
        }
    }

    private static func scope(_ form: FaultForm) -> String {
        let values = ["share": "5%", "after": "1k", "every": "3", "from": "1s", "until": "1m30s"]
        return form.scopeNames.map { ",\($0)=\(values[$0] ?? form.hosts[0])" }.joined()
    }

    /// A text that a syntax takes.
    private static func example(_ syntax: FaultSyntax) -> String {
        switch syntax {
        case .flag: ""
        case .number(let range): String(max(range.lowerBound, -2))
        case .time(let range): Quantity.text(duration: max(range.lowerBound, 250 * Nanoseconds.millisecond))
        case .share: "0.25"
        case .word(let words): words[0]
        case .text: "Shut down"
        case .times: "10ms..20ms"
        case .code: "refused_stream"
        }
    }

    @Test("The table has each fault once, with a meaning and a source")
    func table() {
        #expect(FaultForm.all.map(\.knob.rawValue).sorted() == FaultKnob.allCases.map(\.rawValue).sorted())
        for form in FaultForm.all {
            #expect(form.meaning.hasSuffix(".") && !form.source.isEmpty, "\(form.knob)")
            #expect(FaultTable.text.contains(form.usage) && FaultTable.text.contains(form.source), "\(form.knob)")
            #expect(Set(form.options.map(\.name)).isDisjoint(with: form.scopeNames), "\(form.knob)")
        }
    }

    @Test("Values and scopes arrive")
    func values() throws {
        let goAway = try Fault("goaway,after=1_000,last=-3,code=11,reason=Shutdown,twice,open,share=12.5%,lane=fcm")
        #expect(goAway.number("last") == -3 && goAway.code("code") == 11 && goAway.text("reason") == "Shutdown")
        #expect(goAway.has("twice") && goAway.has("open") && !goAway.has("idle"))
        #expect(goAway.scope.after == 1000 && goAway.scope.share == 0.125 && goAway.scope.lane == "fcm")
        #expect(goAway.strikes(host: "fcm") && !goAway.strikes(host: "oauth"))
        #expect(try Fault("reset").code() == 7)
        #expect(try Fault("reset=CANCEL").code() == 8)
        #expect(try Fault("service-time=5ms").times() == .constant(5_000_000))
        #expect(try Fault("service-time=5ms~9ms").times() == .lognormal(median: 5_000_000, p99: 9_000_000))
        #expect(try Fault("service-time=5ms..9ms").times() == .uniform(from: 5_000_000, to: 9_000_000))
        #expect(try Fault("cut-streams").number() == 1)
        let freeze = try Fault("freeze,from=2s,until=3500ms").scope
        #expect(freeze.from == 2 * Nanoseconds.second && freeze.until == 3500 * Nanoseconds.millisecond)
    }

    @Test(
        "What is no fault is told in one line",
        arguments: [
            ("goawy", "goawy is no known fault; did you mean goaway?"),
            ("goaway=5", "goaway takes no value, only options after a comma"),
            ("silence", "silence needs a value: a time such as 250ms, from 0s to 1d"),
            ("silence=soon", "silence is soon; allowed: a time such as 250ms, from 0s to 1d"),
            ("stall,shar=1", "stall has no option shar; did you mean share?"),
            ("stall,share=2", "stall: share is 2; allowed: a share such as 0.05 or 5%, from 0 to 1"),
            ("stall,every=0", "stall: every is 0; allowed: a whole number from 1 to 1,000,000,000,000"),
            ("stall,after=1,after=2", "stall has the option after twice"),
            ("stall,lane=apns", "stall: lane is apns; allowed: apns-production, apns-sandbox, fcm, oauth"),
            ("wedge,lane=fcm", "wedge: lane is fcm; allowed: apns-production, apns-sandbox"),
            (
                "answer=UNAVAILABLE,lane=oauth",
                "answer is UNAVAILABLE; allowed: for oauth: unauthorized_client, internal_failure, "
                    + "temporarily_unavailable, bad-gateway"
            ),
            ("stall,from=2s,until=1s", "stall has until before from; allowed: from before until"),
            ("freeze,from=2s", "freeze needs the option until=TIME"),
            ("goaway,last=-2,after=1", "goaway needs the option after=N, of at least as many requests as last drops"),
            ("goaway,twice=yes", "goaway: twice is yes; allowed: nothing after its name"),
            ("excess-streams=drop", "excess-streams is drop; allowed: refuse, goaway, ignore"),
            ("reset=BROKEN", "reset is BROKEN; allowed: an HTTP/2 error code such as REFUSED_STREAM, or its number"),
            ("token-clock=2,share=1", "token-clock has no option share; it takes none"),
        ]
    )
    func errors(text: String, expected: String) {
        var message = ""
        do throws(FaultError) {
            _ = try Fault(text)
        } catch {
            message = "\(error)"
        }
        #expect(message == expected)
    }
}
