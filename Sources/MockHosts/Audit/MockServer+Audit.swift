import HTTP2
import Hosts
import Transport

/// Tells the audit what happens.
extension MockServer {
    /// What the sender did so far.
    var auditReport: AuditReport {
        if !isAudited { return audit.report(names: [], []) }
        var remainders = HostName.allCases.map { host in
            var remainder = Audit.Remainder()
            remainder.broken = tally[host].faulty
            return remainder
        }
        for connection in connections.all {
            remainders[Int(connection.host.rawValue)].bytesIn += connection.socket.bytesIn
            remainders[Int(connection.host.rawValue)].bytesOut += connection.socket.bytesOut
            remainders[Int(connection.host.rawValue)].open.append(connection.memory.audit)
        }
        return audit.report(names: HostName.allCases.map(\.name), remainders)
    }

    /// A request is complete.
    @inline(__always)
    func auditRequest(over connection: Connection, _ session: HTTP2Connection? = nil, isAbove: Bool = false) {
        if !isAudited { return }
        audit.requested(
            Int(connection.host.rawValue),
            &connection.memory.audit,
            open: session?.session.openStreams ?? 1,
            limit: session?.announcedLimit ?? 1,
            isAbove: isAbove
        )
    }

    /// A request has its answer.
    ///
    /// - Parameters:
    ///   - answer: the host's own.
    ///   - retryAfter: what a fault adds to it.
    ///   - isHidden: whether a fault keeps the sender from seeing it.
    func audit(
        _ answer: HostAnswer,
        _ retryAfter: RetryAfterField? = nil,
        isHidden: Bool = false,
        to request: HostRequest,
        stream: Int32,
        over connection: Connection
    ) {
        if !isAudited { return }
        let host = Int(connection.host.rawValue)
        if case .oauth(let answer) = answer {
            if answer.reason == nil { audit.exchanged(host, at: elapsed) }
            return
        }
        if !connection.host.speaksHTTP1, let token = deciders.seenToken {
            audit.sawToken(host, token, &connection.memory.audit, at: wallNow)
        }
        if connection.memory.fcm.credential != 0 {
            audit.showed(host, connection.memory.fcm.credential, &connection.memory.audit)
        }
        // Broadcasts and channels have no device that could get anything twice.
        if case .channel = answer { return }
        guard request.isPost else { return }
        var push = AuditedPush(of: request, on: stream)
        if case .accepted = answer.kind { push.isAccepted = true }
        push.isHidden = isHidden
        push.isRefusedForGood = answer.isForGood
        if case .fcm(let answer) = answer { push.isOverQuota = answer.reason == .projectQuota }
        push.retryAfter = retryAfter?.leastWait
        audit.decided(host, push, connection.memory.audit, at: elapsed)
    }

    /// Streams that were opened although their sender had read a GOAWAY.
    func auditLateStreams(of connection: Connection, _ session: HTTP2Connection) {
        audit.openedAfterGoAway(
            Int(connection.host.rawValue),
            &connection.memory.audit,
            soFar: session.session.streamsAfterGoAway
        )
    }

    /// A push came that a fault lets nobody look at.
    func auditLost(_ request: HostRequest, over connection: Connection) {
        guard isAudited, connection.host != .oauth, request.isPost else { return }
        audit.decided(
            Int(connection.host.rawValue),
            AuditedPush(of: request, on: 0),
            connection.memory.audit,
            at: elapsed
        )
    }

    /// A connection is about to be closed.
    func auditEnd(of connection: Connection) {
        var isOurs = isStopping || connection.isCut || connection.pausedUntil != nil
        if case .lingering = connection.stage { isOurs = true }
        audit.closed(
            Int(connection.host.rawValue),
            connection.memory.audit,
            byClient: !isOurs,
            bytesIn: connection.socket.bytesIn,
            bytesOut: connection.socket.bytesOut,
            at: elapsed
        )
    }
}

extension HostRequest {
    fileprivate var isPost: Bool {
        method.count == 4 && method[0] == UInt8(ascii: "P") && method[1] == UInt8(ascii: "O")
    }
}

extension AuditedPush {
    fileprivate init(of request: HostRequest, on stream: Int32) {
        self.init()
        // The device stands in the path or in the body, the payload in the body.
        content = request.path.hash64 &* 31 ^ request.body.hash64
        messageID = request.apnsID.isEmpty ? 0 : request.apnsID.hash64
        self.stream = stream
    }
}

extension RetryAfterField {
    /// The shortest time that keeps to it, in nanoseconds: a date has no fractions of a second.
    fileprivate var leastWait: Int64? {
        switch self {
        case .absent: nil
        case .seconds(let seconds): seconds * 1_000_000_000
        case .date(let seconds): max(0, seconds - 1) * 1_000_000_000
        }
    }
}
