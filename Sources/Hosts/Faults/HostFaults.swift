package import LoadPlan

/// The faults of one host: decides what befalls each request and connection, and does nothing.
///
/// A host without faults has no `HostFaults` at all. Times are nanoseconds since the mock's start. Choices depend only
/// on the seed and on numbers of requests and connections.
package struct HostFaults: Sendable {
    /// A fault of requests with what it does.
    private struct RequestRule: Sendable {
        var rule: FaultRule
        var effect: Effect

        enum Effect: Sendable {
            case reset(code: UInt32, isAfter: Bool)
            case stall
            case refusal(UInt8)
            case acceptThen(UInt8?)
            case time(Sampler)
        }
    }

    /// A fault of connections with its details, by kind.
    struct ConnectionRule: Sendable {
        var rule: FaultRule
        var fault: Fault
    }

    /// Reasons that `RequestFault` names by number.
    package let refusals: [HostRefusal]
    private let requestRules: [RequestRule]
    private let retryAfterRules: [(rule: FaultRule, value: RetryAfterField)]
    let endings: [Ending]
    let connectionRules: [ConnectionRule]
    /// The times during which the host stands still.
    package let freezes: [Range<Int64>]
    private let seed: UInt64
    private var connections: UInt64 = 0
    private var requests: UInt64 = 0

    /// nil for a host that has none of these faults.
    package init?(_ faults: [Fault], host: String, seed: UInt64) {
        let own = faults.enumerated().filter { $0.element.strikes(host: host) }
        guard !own.isEmpty else { return nil }
        var refusals: [HostRefusal] = []
        func number(_ word: String) -> UInt8 {
            guard let reason = HostRefusal(word, host: host) else {
                preconditionFailure("\(word) is no reason of \(host)")
            }
            if let known = refusals.firstIndex(of: reason) { return UInt8(known) }
            refusals.append(reason)
            return UInt8(refusals.count - 1)
        }
        var requestRules: [RequestRule] = []
        var connectionRules: [ConnectionRule] = []
        var endings: [Ending] = []
        var retryAfterRules: [(rule: FaultRule, value: RetryAfterField)] = []
        for (index, fault) in own {
            let rule = FaultRule(fault.scope, salt: seed &+ UInt64(index) << 32)
            switch fault.knob {
            case .retryAfter: retryAfterRules.append((rule, RetryAfterField(fault)))
            case .goAway, .disconnect, .sessionTimeout, .silence: endings.append(Ending(fault, rule))
            default:
                if let effect = Self.effect(of: fault, host: host, number: number) {
                    requestRules.append(RequestRule(rule: rule, effect: effect))
                } else {
                    connectionRules.append(ConnectionRule(rule: rule, fault: fault))
                }
            }
        }
        self.refusals = refusals
        self.requestRules = requestRules
        self.connectionRules = connectionRules
        self.endings = endings
        self.retryAfterRules = retryAfterRules
        freezes = own.map(\.element).filter { $0.knob == .freeze }.map { $0.scope.from..<$0.scope.until }
        self.seed = seed
    }

    private static func effect(
        of fault: Fault,
        host: String,
        number: (String) -> UInt8
    ) -> RequestRule.Effect? {
        switch fault.knob {
        case .reset: .reset(code: fault.code() ?? 0, isAfter: fault.word("when") == "after")
        case .stall: .stall
        case .answer: fault.word().map { .refusal(number($0)) }
        case .acceptThenFail: .acceptThen(failure(fault, host: host).map(number))
        case .serviceTime: fault.times().map { .time($0.sampler) }
        default: nil
        }
    }

    /// The reason that hides an acceptance; nil for none at all.
    private static func failure(_ fault: Fault, host: String) -> String? {
        let isAPNs = LaneName.isAPNs(host)
        return switch fault.word() {
        case "unavailable": isAPNs ? "ServiceUnavailable" : "UNAVAILABLE"
        case "internal": isAPNs ? "InternalServerError" : "INTERNAL"
        default: nil
        }
    }

    /// What befalls the next request of the host.
    package mutating func request(
        over connection: inout ConnectionFaults,
        at elapsed: Int64
    ) -> RequestFault {
        let number = requests
        requests &+= 1
        connection.countRequest(at: elapsed)
        var fault = RequestFault()
        if connection.isWedged { fault.lossBefore = .silence }
        fault.isDropped = endings.contains { $0.drops(connection) }
        for entry in requestRules where entry.rule.strikes(number: number, at: elapsed) {
            switch entry.effect {
            case .reset(let code, false): fault.lossBefore = .reset(code: code)
            case .reset(let code, true): fault.lossAfter = .reset(code: code)
            case .stall: fault.lossBefore = .silence
            case .refusal(let reason): fault.refusal = reason
            case .acceptThen(let reason?): fault.refusalAfter = reason
            case .acceptThen(nil): fault.lossAfter = .silence
            case .time(let sampler): fault.serviceTime = sampler.sample(scramble(number ^ seed))
            }
        }
        return fault
    }

    /// What Retry-After says of the refusal with 429 or 503 that the request before got; nil for what the host says.
    package func retryAfter(at elapsed: Int64) -> RetryAfterField? {
        retryAfterRules.last { $0.rule.strikes(number: requests &- 1, at: elapsed) }?.value
    }

    /// Whether `retryAfter` may ever say something.
    package var changesRetryAfter: Bool { !retryAfterRules.isEmpty }

    /// A connection has been accepted.
    package mutating func opened(at elapsed: Int64) -> ConnectionFaults {
        defer { connections &+= 1 }
        return ConnectionFaults(number: connections, at: elapsed)
    }

    /// The faults of one kind that strike a connection now, last one first, so that what is given last wins.
    func rules(_ knob: FaultKnob, of connection: ConnectionFaults, at elapsed: Int64) -> ConnectionRule? {
        connectionRules.last {
            $0.fault.knob == knob && $0.rule.strikes(connection: connection.number)
                && $0.rule.isDue(requests: connection.requests, at: elapsed)
        }
    }

    /// A time from a fault's distribution, the same for a connection whenever it is asked for.
    func time(_ knob: FaultKnob, of connection: ConnectionFaults, at elapsed: Int64) -> Int64? {
        rules(knob, of: connection, at: elapsed)?.fault.times()?
            .sample(scramble(connection.number ^ seed &+ UInt64(knob.rawValue.utf8.count)))
    }
}

extension RetryAfterField {
    fileprivate init(_ fault: Fault) {
        // Rounded up, as a sender that came back a moment early would be refused again.
        let seconds = ((fault.time() ?? 0) + Nanoseconds.second - 1) / Nanoseconds.second
        switch fault.word("as") {
        case "absent": self = .absent
        case "date": self = .date(seconds)
        default: self = .seconds(seconds)
        }
    }
}
