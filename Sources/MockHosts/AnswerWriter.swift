import HTTP2
import Hosts

/// Puts answers onto streams of HTTP/2.
///
/// Holds the memory that bodies are written in, once for the whole server.
struct AnswerWriter: ~Copyable {
    private let scratch: UnsafeMutableRawBufferPointer

    /// Memory for bodies of up to so many bytes, other than those that answers bring with them.
    init(longestBody: Int) {
        scratch = .allocate(byteCount: max(longestBody, APNsAnswer.longestBody), alignment: 16)
    }

    deinit { scratch.deallocate() }

    /// Answers on a stream, and announces the stream limit that changes with it; false if the stream is gone.
    func send(
        _ answer: HostAnswer,
        on stream: StreamHandle,
        of connection: HTTP2Connection,
        fcm: FCMHost
    ) throws(HTTP2Error) -> Bool {
        switch answer {
        case .canned:
            return try connection.session.respond(stream, connection.canned)
        case .apns(let answer):
            if let limit = answer.streamLimit { try connection.announce(streamLimit: limit) }
            return try send(answer, on: stream, of: connection)
        case .fcm(let answer):
            let template = connection.template(for: .fcm(answer.reason))
            return try fcm.withBody(of: answer, scratch: scratch) { (body) throws(HTTP2Error) in
                var variables = ResponseVariables()
                variables.body = body
                return try connection.session.respond(stream, template, variables)
            }
        case .oauth(let answer):
            let template = connection.template(for: .oauth(answer.reason))
            return try answer.body.withUnsafeBufferPointer { (body) throws(HTTP2Error) in
                var variables = ResponseVariables()
                variables.body = UnsafeRawBufferPointer(body)
                return try connection.session.respond(stream, template, variables)
            }
        }
    }

    private func send(
        _ answer: APNsAnswer,
        on stream: StreamHandle,
        of connection: HTTP2Connection
    ) throws(HTTP2Error) -> Bool {
        let template = connection.template(for: .apns(status: answer.status))
        var variables = ResponseVariables()
        variables.body = UnsafeRawBufferPointer(rebasing: scratch[0..<answer.writeBody(into: scratch)])
        return try answer.messageID.withBytes { (id) throws(HTTP2Error) in
            variables.apnsID = id
            guard let uniqueID = answer.uniqueID else {
                return try connection.session.respond(stream, template, variables)
            }
            return try uniqueID.withBytes { (unique) throws(HTTP2Error) in
                variables.apnsUniqueID = unique
                return try connection.session.respond(stream, template, variables)
            }
        }
    }

    /// The bytes of an HTTP/1.1 response.
    ///
    /// Allocates.
    func http1(_ answer: HostAnswer, fcm: FCMHost, keepsAlive: Bool) -> [UInt8] {
        switch answer {
        case .canned, .apns:
            HTTP1Response.bytes(status: answer.status, headers: [], body: [], keepsAlive: keepsAlive)
        case .fcm(let fcmAnswer):
            fcm.withBody(of: fcmAnswer, scratch: scratch) { body in
                HTTP1Response.bytes(
                    status: fcmAnswer.status,
                    headers: FCMAnswer.headers(fcmAnswer.reason),
                    body: Array(body),
                    keepsAlive: keepsAlive
                )
            }
        case .oauth(let oauthAnswer):
            HTTP1Response.bytes(
                status: oauthAnswer.status,
                headers: OAuthAnswer.headers(oauthAnswer.reason),
                body: oauthAnswer.body,
                keepsAlive: keepsAlive
            )
        }
    }
}
