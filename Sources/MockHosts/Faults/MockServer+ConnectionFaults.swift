import HTTP2
import Hosts
import Transport

/// What faults do to connections.
extension MockServer {
    /// Most bytes that are kept for a connection with a long way to go; then it is not read for a moment.
    private static let mostDelayed = 1 << 22

    /// A connection to a host with faults has been accepted.
    func beginFaults(of connection: Connection) {
        let faults = deciders.faults[connection.host].opened(at: elapsed)
        connection.memory.faults = faults
        connection.delayed.delay = deciders.faults[connection.host].roundTrip(of: faults, at: elapsed)
        let delay = deciders.faults[connection.host].handshakeDelay(of: faults, at: elapsed)
        if delay > 0 {
            connection.deadline = connection.deadline.map { $0 + delay }
            pause(connection, until: now + delay)
        }
    }

    /// The stream limit of a connection's first SETTINGS; nil for none.
    func firstStreams(of connection: Connection, usual: UInt32) -> UInt32? {
        guard deciders.faults.has(connection.host) else { return usual }
        return deciders.faults[connection.host]
            .firstStreams(
                of: connection.memory.faults,
                usual: usual,
                at: elapsed
            )
    }

    func pinged(_ connection: Connection) throws(HTTP2Error) {
        audit.pinged(Int(connection.host.rawValue), &connection.memory.audit)
        guard deciders.faults.has(connection.host) else { return }
        if let order = deciders.faults[connection.host].pinged(over: &connection.memory.faults, at: elapsed) {
            try perform(order, on: connection)
        }
    }

    /// Does to an HTTP/2 connection what its host's faults have for it now.
    func end(_ connection: Connection) throws(HTTP2Error) {
        if let order = ending(of: connection) { try perform(order, on: connection) }
    }

    /// The same over HTTP/1.1, where GOAWAY is the end with the next answer, or now.
    func endHTTP1(_ connection: Connection) {
        guard case .http1(let session) = connection.stage, let order = ending(of: connection) else { return }
        switch order {
        case .cut: connection.isCut = true
        case .fallSilent: pause(connection, until: .max)
        case .goAway:
            session.endsAfterAnswer = true
            if !session.isBusy { connection.isCut = true }
        }
    }

    private func ending(of connection: Connection) -> ConnectionOrder? {
        deciders.faults[connection.host]
            .ending(
                of: &connection.memory.faults,
                isBusy: connection.isBusy,
                at: elapsed
            )
    }

    /// A connection to be cut is closed by whoever reads it, not here, amid its events.
    func perform(_ order: ConnectionOrder, on connection: Connection) throws(HTTP2Error) {
        switch order {
        case .cut: connection.isCut = true
        case .fallSilent: pause(connection, until: .max)
        case .goAway(let order):
            guard case .http2(let session) = connection.stage else { return }
            connection.memory.faults.isEnding = true
            try session.sayGoAway(order)
            audit.saidGoAway(connection.memory.audit, lastStream: session.lastTaken)
            markForFlush(connection)
        }
    }

    // MARK: Standing still

    /// Reads and writes nothing until then.
    func pause(_ connection: Connection, until time: Int64) {
        connection.pausedUntil = max(time, connection.pausedUntil ?? time)
        updateInterest(of: connection)
    }

    /// Something happened on a paused connection that nobody asked about: the client has gone for good.
    func serveGone(_ connection: Connection) { close(connection) }

    /// Pauses a connection if its host stands still; false if it does not.
    func freeze(_ connection: Connection) -> Bool {
        guard connection.pausedUntil == nil, let end = frozen(connection.host) else { return false }
        pause(connection, until: end)
        return true
    }

    func freezeListener(_ index: Int) throws(TransportError) -> Bool {
        guard frozen(listeners[index].port.host) != nil else { return false }
        try poller.remove(listeners[index].listener.descriptor)
        frozenListeners.insert(index)
        return true
    }

    /// When an answer that is due can go out after all, later than now; nil for now, `Int64.max` for never.
    ///
    /// A pause that is over but has not been ended yet, which happens every 10 ms, is no reason to wait: an answer that
    /// was put off to a time that has come would be due again at once, without end.
    func postponed(_ connection: Connection) -> Int64? {
        if let end = connection.pausedUntil, end > now { return end }
        return nextWatch == .max ? nil : frozen(connection.host)
    }

    /// The monotonic time at which the host goes on.
    private func frozen(_ host: HostName) -> Int64? {
        guard deciders.faults.has(host), let end = deciders.faults[host].frozen(at: elapsed) else { return nil }
        return started.monotonic + end
    }

    // MARK: As time goes by

    /// Looks at the connections of hosts whose faults go by the clock.
    func watchFaults() throws(TransportError) {
        guard let interval = deciders.faults.watchInterval else { return }
        nextWatch = now + interval
        if let end = tokensEndAt, elapsed >= end {
            tokensEndAt = nil
            deciders.revokeAccessTokens()
        }
        for index in frozenListeners where frozen(listeners[index].port.host) == nil {
            frozenListeners.remove(index)
            try poller.add(
                listeners[index].listener.descriptor,
                tag: Self.listenerTags | UInt64(index),
                interest: .read
            )
        }
        for connection in connections.all where deciders.faults.has(connection.host) { watch(connection) }
    }

    private func watch(_ connection: Connection) {
        if let end = connection.pausedUntil {
            guard end <= now, frozen(connection.host) == nil else { return }
            connection.pausedUntil = nil
            markForFlush(connection)
            updateInterest(of: connection)
            return serve(connection)
        }
        switch connection.stage {
        case .http2(let session):
            guard takeDelayed(connection, session) else { return }
            do throws(HTTP2Error) {
                try end(connection)
            } catch {
                return linger(connection)
            }
        case .http1: endHTTP1(connection)
        case .handshake, .canned, .lingering: return
        }
        if connection.isCut { close(connection) }
    }

    /// Takes in what has been on its way for long enough; false if it ended the connection.
    private func takeDelayed(_ connection: Connection, _ session: HTTP2Connection) -> Bool {
        while let bytes = connection.delayed.take(at: now) {
            let goesOn = bytes.withUnsafeBytes { take($0, of: connection, session) }
            if !goesOn { return false }
        }
        if connection.delayed.count > Self.mostDelayed { pause(connection, until: now + 1) }
        return true
    }
}

extension Connection {
    /// Whether requests wait for their answers.
    var isBusy: Bool {
        switch stage {
        case .http2(let session): session.session.openStreams > 0
        case .http1(let session): session.isBusy
        case .handshake, .canned, .lingering: false
        }
    }
}
