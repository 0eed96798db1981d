import HTTP2
import Hosts

/// What faults do to requests.
extension MockServer {
    /// Nanoseconds since the mock's start, by which faults go.
    var elapsed: Int64 { now - started.monotonic }

    /// A request over HTTP/2 to a host that has faults.
    func takeFaulty(
        _ request: HostRequest,
        _ stream: StreamHandle,
        of connection: Connection,
        _ session: HTTP2Connection
    ) throws(HTTP2Error) {
        let fault = deciders.faults[connection.host].request(over: &connection.memory.faults, at: elapsed)
        if fault.isDropped { return try end(connection) }
        session.lastTaken = stream.stream
        if let loss = fault.lossBefore {
            auditLost(request, over: connection)
            lose(stream, session, loss)
            return try end(connection)
        }
        let decision = decide(request, fault, stream: stream.stream, of: connection)
        if let loss = decision.loss {
            lose(stream, session, loss)
        } else {
            let serviceTime = fault.serviceTime ?? deciders.serviceTime(of: connection.host)
            try schedule(decision.answer, decision.retryAfter, after: serviceTime, on: stream, of: connection, session)
        }
        if let order = decision.order { try perform(order, on: connection) }
        try end(connection)
    }

    /// A request over HTTP/1.1 to a host that has faults.
    func takeFaulty(_ connection: Connection, _ session: HTTP1Connection) {
        let fault = deciders.faults[connection.host].request(over: &connection.memory.faults, at: elapsed)
        defer { endHTTP1(connection) }
        if let loss = fault.lossBefore {
            session.withRequest { auditLost($0, over: connection) }
            return lose(connection, loss)
        }
        let decision = session.withRequest { decide($0, fault, stream: 0, of: connection) }
        if let loss = decision.loss { return lose(connection, loss) }
        let serviceTime = fault.serviceTime ?? deciders.serviceTime(of: connection.host)
        schedule(decision.answer, decision.retryAfter, after: serviceTime, on: connection, session)
    }

    private struct Decision {
        var answer: HostAnswer
        /// In place of the answer.
        var loss: RequestFault.Loss?
        var retryAfter: RetryAfterField?
        var order: ConnectionOrder?
    }

    /// Asks the host, unless the fault answers in its place, and hides an acceptance that the fault wants hidden.
    private func decide(
        _ request: HostRequest,
        _ fault: RequestFault,
        stream: Int32,
        of connection: Connection
    ) -> Decision {
        let host = connection.host
        var answer: HostAnswer
        if let refusal = fault.refusal {
            answer = deciders.refuse(host, request, deciders.faults[host].refusals[Int(refusal)])
        } else {
            answer = deciders.answer(connection.port, request, over: &connection.memory, at: wallNow)
        }
        let kind = answer.kind
        var limit = answer.streamLimit
        let order = deciders.faults[host]
            .answered(
                kind,
                over: &connection.memory.faults,
                changing: &limit,
                full: deciders.streamLimits(of: host).most,
                at: elapsed
            )
        var loss: RequestFault.Loss?
        let accepted = answer
        if kind == .accepted {
            loss = fault.lossAfter
            if let refusal = fault.refusalAfter {
                answer = deciders.refuse(host, request, deciders.faults[host].refusals[Int(refusal)])
            }
        }
        if limit != answer.streamLimit { answer.streamLimit = limit }
        let retryAfter = retryAfter(with: answer, of: host)
        let isHidden = kind == .accepted && (loss != nil || fault.refusalAfter != nil)
        audit(accepted, retryAfter, isHidden: isHidden, to: request, stream: stream, over: connection)
        return Decision(answer: answer, loss: loss, retryAfter: retryAfter, order: order)
    }

    private func retryAfter(with answer: HostAnswer, of host: HostName) -> RetryAfterField? {
        answer.status == 429 || answer.status == 503 ? deciders.faults[host].retryAfter(at: elapsed) : nil
    }

    private func lose(_ stream: StreamHandle, _ session: HTTP2Connection, _ loss: RequestFault.Loss) {
        switch loss {
        case .silence: break
        case .reset(let code): session.session.reset(stream, code: HTTP2ErrorCode(rawValue: code))
        }
    }

    /// HTTP/1.1 can't reset a request alone.
    private func lose(_ connection: Connection, _ loss: RequestFault.Loss) {
        if case .reset = loss { connection.isCut = true }
    }

    /// What becomes of a stream above the limit.
    func refuseExcess(
        _ stream: StreamHandle,
        of connection: Connection,
        _ session: HTTP2Connection
    ) throws(HTTP2Error) {
        tally.refusedStreams += 1
        let rule =
            deciders.faults.has(connection.host)
            ? deciders.faults[connection.host].excess(of: connection.memory.faults, at: elapsed) : .refuse
        switch rule {
        case .refuse: session.session.reset(stream, code: .refusedStream)
        case .ignore: break
        case .goAway: try perform(.goAway(.excess(of: connection.host)), on: connection)
        }
    }
}

extension GoAwayOrder {
    /// As senders have seen it: jchambers/pushy#356 and firebase/firebase-admin-node#2943.
    fileprivate static func excess(of host: HostName) -> GoAwayOrder {
        host.speaksHTTP1
            ? GoAwayOrder(code: 1, debug: "exceeded_max_concurrent_streams")
            : GoAwayOrder(code: 7, debug: "Maximum active streams violated for this endpoint.")
    }
}
