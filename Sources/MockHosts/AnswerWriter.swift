import HTTP2
import Hosts

/// Puts answers onto streams of HTTP/2, and into the bytes of HTTP/1.1.
///
/// Holds the memory that identifiers and bodies are written in, once for the whole server; sessions copy from it.
struct AnswerWriter: ~Copyable {
    /// Where the body begins, after two identifiers and what rounds them up.
    private static let bodyOffset = 2 * idRoom + retryAfterRoom
    private static let idRoom = 64
    private static let retryAfterRoom = 32

    private let scratch: UnsafeMutableRawBufferPointer
    private let fcm: FCMBodyBook

    init(fcm: FCMBodyBook) {
        self.fcm = fcm
        let longestBody = max(fcm.longestSuccess, APNsAnswer.longestBody)
        scratch = .allocate(byteCount: Self.bodyOffset + longestBody, alignment: 64)
    }

    deinit { scratch.deallocate() }

    /// Answers on a stream, and announces the stream limit that changes with it; false if the stream is gone.
    func send(
        _ answer: borrowing HostAnswer,
        retryAfter: UnsafeRawBufferPointer = .nothing,
        on stream: StreamHandle,
        of connection: HTTP2Connection
    ) throws(HTTP2Error) -> Bool {
        switch answer {
        case .canned:
            preconditionFailure("a canned answer on a session that looks at requests")
        case .apns(let answer):
            if let limit = answer.streamLimit { try connection.announce(streamLimit: limit) }
            let template = connection.template(for: .apns(status: answer.status))
            var variables = variables(of: answer)
            variables.retryAfter = retryAfter
            return try connection.session.respond(stream, template, variables)
        case .channel(let answer):
            if let limit = answer.streamLimit { try connection.announce(streamLimit: limit) }
            return try send(answer, on: stream, of: connection)
        case .fcm(let answer):
            let template = connection.template(for: .fcm(answer.reason))
            guard let reason = answer.reason else {
                var variables = ResponseVariables()
                variables.body = success(answer)
                return try connection.session.respond(stream, template, variables)
            }
            return try send(fcm.refusal(reason, answer), template, retryAfter, on: stream, of: connection)
        case .oauth(let answer):
            let template = connection.template(for: .oauth(answer.reason))
            return try send(answer.body, template, retryAfter, on: stream, of: connection)
        }
    }

    private func send(
        _ body: [UInt8],
        _ template: ResponseTemplateID,
        _ retryAfter: UnsafeRawBufferPointer,
        _ variables: ResponseVariables = ResponseVariables(),
        on stream: StreamHandle,
        of connection: HTTP2Connection
    ) throws(HTTP2Error) -> Bool {
        try body.withUnsafeBufferPointer { (body) throws(HTTP2Error) in
            var variables = variables
            variables.body = UnsafeRawBufferPointer(body)
            variables.retryAfter = retryAfter
            return try connection.session.respond(stream, template, variables)
        }
    }

    /// The text of a Retry-After field; nothing for one that is absent.
    ///
    /// - Parameter now: nanoseconds since 1970.
    func text(_ retryAfter: RetryAfterField?, at now: Int64) -> UnsafeRawBufferPointer {
        let room = part(2 * Self.idRoom, Self.retryAfterRoom)
        switch retryAfter {
        case nil, .absent: return UnsafeRawBufferPointer(rebasing: room[..<0])
        case .seconds(let seconds):
            return UnsafeRawBufferPointer(rebasing: room[..<HTTPDate.write(seconds: seconds, into: room)])
        case .date(let seconds):
            HTTPDate.write(now / 1_000_000_000 + seconds, into: room)
            return UnsafeRawBufferPointer(rebasing: room[..<HTTPDate.length])
        }
    }

    private func send(
        _ answer: ChannelAnswer,
        on stream: StreamHandle,
        of connection: HTTP2Connection
    ) throws(HTTP2Error) -> Bool {
        let template = connection.template(for: .channel(status: answer.status, hasBody: !answer.body.isEmpty))
        answer.requestID.write(into: part(0, UUIDText.length))
        part(Self.idRoom, answer.channelID.count).copyBytes(from: answer.channelID)
        var variables = ResponseVariables()
        variables.apnsID = UnsafeRawBufferPointer(part(0, UUIDText.length))
        variables.apnsUniqueID = UnsafeRawBufferPointer(part(Self.idRoom, answer.channelID.count))
        return try send(answer.body, template, .nothing, variables, on: stream, of: connection)
    }

    private func variables(of answer: APNsAnswer) -> ResponseVariables {
        var variables = ResponseVariables()
        answer.messageID.write(into: part(0, UUIDText.length))
        variables.apnsID = UnsafeRawBufferPointer(part(0, UUIDText.length))
        if let uniqueID = answer.uniqueID {
            uniqueID.write(into: part(Self.idRoom, UUIDText.length))
            variables.apnsUniqueID = UnsafeRawBufferPointer(part(Self.idRoom, UUIDText.length))
        }
        if answer.reason != nil {
            let room = part(Self.bodyOffset, scratch.count - Self.bodyOffset)
            variables.body = UnsafeRawBufferPointer(part(Self.bodyOffset, answer.writeBody(into: room)))
        }
        return variables
    }

    private func success(_ answer: FCMAnswer) -> UnsafeRawBufferPointer {
        let room = part(Self.bodyOffset, scratch.count - Self.bodyOffset)
        return UnsafeRawBufferPointer(part(Self.bodyOffset, fcm.writeSuccess(answer.messageID, into: room)))
    }

    private func part(_ offset: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: scratch[offset..<offset + count])
    }

    /// The bytes of an HTTP/1.1 response.
    ///
    /// Allocates.
    func http1(
        _ answer: borrowing HostAnswer,
        retryAfter: UnsafeRawBufferPointer = .nothing,
        canned: CannedAnswer,
        keepsAlive: Bool
    ) -> [UInt8] {
        var headers: [(name: String, value: String)]
        let body: [UInt8]
        switch answer {
        case .canned: (headers, body) = (canned.headers, canned.body)
        case .apns, .channel: preconditionFailure("APNs does not speak HTTP/1.1")
        case .fcm(let answer):
            headers = FCMAnswer.headers(answer.reason)
            body = answer.reason.map { fcm.refusal($0, answer) } ?? Array(success(answer))
        case .oauth(let answer): (headers, body) = (OAuthAnswer.headers(answer.reason), answer.body)
        }
        if !retryAfter.isEmpty { headers.append(("retry-after", String(decoding: retryAfter, as: UTF8.self))) }
        return HTTP1Response.bytes(status: answer.status, headers: headers, body: body, keepsAlive: keepsAlive)
    }
}
