import LoadPlan

/// What befalls connections.
extension HostFaults {
    /// How long the TLS handshake of a new connection is put off, in nanoseconds.
    package func handshakeDelay(of connection: ConnectionFaults, at elapsed: Int64) -> Int64 {
        time(.slowTLS, of: connection, at: elapsed) ?? 0
    }

    /// How much later what comes over a connection is looked at, in nanoseconds.
    package func roundTrip(of connection: ConnectionFaults, at elapsed: Int64) -> Int64 {
        time(.roundTrip, of: connection, at: elapsed) ?? 0
    }

    /// The stream limit that a connection is told first.
    ///
    /// - Returns: `usual` without a fault, nil for SETTINGS without a limit.
    package func firstStreams(of connection: ConnectionFaults, usual: UInt32, at elapsed: Int64) -> UInt32? {
        if hidesLimit(of: connection, at: elapsed) { return nil }
        guard let rule = rules(.firstStreams, of: connection, at: elapsed) else { return usual }
        if let auth = rule.fault.word("auth"), (auth == "certificate") != connection.hasCertificate { return usual }
        return rule.fault.number().map { UInt32($0) } ?? usual
    }

    private func hidesLimit(of connection: ConnectionFaults, at elapsed: Int64) -> Bool {
        rules(.noStreamLimit, of: connection, at: elapsed) != nil
    }

    package func excess(of connection: ConnectionFaults, at elapsed: Int64) -> ExcessRule {
        switch rules(.excessStreams, of: connection, at: elapsed)?.fault.word() {
        case "goaway": .goAway
        case "ignore": .ignore
        default: .refuse
        }
    }

    /// An answer is decided.
    ///
    /// - Parameters:
    ///   - kind: which.
    ///   - limit: the stream limit that goes with it; changed to what the faults make of it.
    ///   - full: the limit of a connection that is not cut.
    /// - Returns: what is to be done with the connection once the answer is on its way.
    package func answered(
        _ kind: AnswerKind,
        over connection: inout ConnectionFaults,
        changing limit: inout UInt32?,
        full: UInt32,
        at elapsed: Int64
    ) -> ConnectionOrder? {
        cut(kind, over: &connection, changing: &limit, full: full, at: elapsed)
        if hidesLimit(of: connection, at: elapsed) { limit = nil }
        if kind == .staleToken, let rule = rules(.wedge, of: connection, at: elapsed) {
            connection.staleTokens &+= 1
            if connection.staleTokens >= rule.fault.number() ?? 0 { connection.isWedged = true }
        }
        return judge(kind, over: &connection, at: elapsed)
    }

    private func cut(
        _ kind: AnswerKind,
        over connection: inout ConnectionFaults,
        changing limit: inout UInt32?,
        full: UInt32,
        at elapsed: Int64
    ) {
        guard let rule = rules(.cutStreams, of: connection, at: elapsed) else {
            if connection.isCut {
                connection.isCut = false
                limit = full
            }
            return
        }
        if kind == .accepted, connection.isCut {
            connection.isCut = false
            limit = full
        } else if kind != .accepted, !connection.isCut {
            connection.isCut = true
            limit = rule.fault.number().map { UInt32($0) }
        }
    }

    /// Ends a connection with too large a share of errors, at the end of each window of answers.
    private func judge(
        _ kind: AnswerKind,
        over connection: inout ConnectionFaults,
        at elapsed: Int64
    ) -> ConnectionOrder? {
        guard let rule = rules(.errorRatio, of: connection, at: elapsed)?.fault, let most = rule.share() else {
            return nil
        }
        connection.answers &+= 1
        switch kind {
        case .accepted, .unregistered: break
        case .badDeviceToken: connection.errors &+= UInt32(rule.number("bad-token") ?? 2)
        case .staleToken, .refused: connection.errors &+= 1
        }
        guard connection.answers >= rule.number("window") ?? 100 else { return nil }
        let share = Double(connection.errors) / Double(connection.answers)
        (connection.answers, connection.errors) = (0, 0)
        return share >= most ? .goAway(GoAwayOrder()) : nil
    }

    /// A PING came.
    package func pinged(over connection: inout ConnectionFaults, at elapsed: Int64) -> ConnectionOrder? {
        guard let rule = rules(.pings, of: connection, at: elapsed)?.fault else { return nil }
        if connection.pings == 0 || elapsed - connection.firstPingAt > rule.time("within") ?? 5 * Nanoseconds.minute {
            connection.firstPingAt = elapsed
            connection.pings = 0
        }
        connection.pings &+= 1
        guard connection.pings > rule.number() ?? 0 else { return nil }
        return .goAway(GoAwayOrder(code: 0xb, debug: "too_many_pings"))
    }
}
