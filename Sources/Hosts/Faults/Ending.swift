import LoadPlan

/// A fault that ends connections, when its time has come.
struct Ending: Sendable {
    private let rule: FaultRule
    private let order: ConnectionOrder
    private let age: Int64?
    private let idle: Int64?

    init(_ fault: Fault, _ rule: FaultRule) {
        self.rule = rule
        switch fault.knob {
        case .disconnect:
            (order, age, idle) = (.cut, nil, nil)
        case .silence:
            (order, age, idle) = (.fallSilent, nil, fault.time())
        case .sessionTimeout:
            (order, age, idle) = (.goAway(GoAwayOrder(debug: "session_timed_out")), nil, fault.time())
        case .goAway:
            (order, age, idle) = (.goAway(GoAwayOrder(fault)), fault.time("age"), fault.time("idle"))
        default:
            preconditionFailure("\(fault.knob) ends no connection")
        }
    }

    /// Whether the request that came last over a connection is one that the GOAWAY to come leaves out.
    func drops(_ connection: ConnectionFaults) -> Bool {
        guard case .goAway(let order) = order, order.dropped > 0 else { return false }
        return rule.strikes(connection: connection.number) && rule.isAmongLast(order.dropped, connection.requests)
    }

    /// Whether it comes by the clock, not only with a request.
    var isTimed: Bool { age != nil || idle != nil }

    /// What is to be done with a connection now; nil if nothing.
    ///
    /// - Parameter isBusy: whether requests wait for their answers, so that the connection is not idle.
    func order(for connection: ConnectionFaults, isBusy: Bool, at elapsed: Int64) -> ConnectionOrder? {
        guard rule.strikes(connection: connection.number), rule.isDue(requests: connection.requests, at: elapsed) else {
            return nil
        }
        if let age, elapsed - connection.openedAt < age { return nil }
        if let idle, isBusy || elapsed - connection.lastRequestAt < idle { return nil }
        return order
    }
}

extension HostFaults {
    /// What is to be done with a connection now, be it new, after a request or after some time; asked again and again.
    package func ending(
        of connection: inout ConnectionFaults,
        isBusy: Bool,
        at elapsed: Int64
    ) -> ConnectionOrder? {
        if connection.isEnding { return nil }
        for ending in endings {
            guard let order = ending.order(for: connection, isBusy: isBusy, at: elapsed) else { continue }
            connection.isEnding = true
            return order
        }
        return nil
    }

    /// How often connections have to be looked at, in nanoseconds; nil for never.
    package var watchInterval: Int64? {
        let knobs = Set(connectionRules.map(\.fault.knob))
        if knobs.contains(.roundTrip) { return Nanoseconds.millisecond }
        let isTimed =
            !freezes.isEmpty || tokensEndAt != nil || knobs.contains(.slowTLS) || endings.contains(where: \.isTimed)
        return isTimed ? 10 * Nanoseconds.millisecond : nil
    }

    /// The end of the time in which the host stands still; nil if it does not.
    package func frozen(at elapsed: Int64) -> Int64? { freezes.first { $0.contains(elapsed) }?.upperBound }
}

extension GoAwayOrder {
    init(_ fault: Fault) {
        let debug = fault.text("reason").map { "{\"reason\":\"\($0)\"}" } ?? fault.text("text") ?? ""
        self.init(code: fault.code("code") ?? 0, debug: debug)
        dropped = Int32(-(fault.number("last") ?? 0))
        isTwice = fault.has("twice")
        staysOpen = fault.has("open")
    }
}
