import HTTP2
import Hosts

/// The session of an HTTP/2 connection, with the kinds of answer that its host gives laid out.
final class HTTP2Connection {
    /// The header fields that hosts look at, in the order in which `hostRequest` takes them.
    private static let captured = [
        "authorization", "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration",
        "apns-collapse-id", "content-type", "apns-channel-id", "apns-request-id",
    ]
    /// Of `apns-id`, which may differ between requests that are alike.
    private static let freePlaces: UInt32 = 1 << 1
    /// Streams that a client may have open above its limit before it is refused for want of memory.
    private static let reserve = 1024

    let session: ServerSession
    /// The last stream whose request was taken.
    var lastTaken: Int32 = 0
    /// The last stream that the GOAWAY named; nil before there was one.
    private(set) var goAwayLast: Int32?
    /// Whether the connection is to be closed when no stream is open any more.
    var closesWhenIdle = false
    /// The limit that the client was told last.
    private(set) var announcedLimit: Int
    /// Templates are laid out when first needed: few connections see more than two kinds of answer.
    private var templates: [(number: Int, template: ResponseTemplateID)] = []

    /// A session that has its SETTINGS ready, with `streamLimit` in them.
    ///
    /// Without one if `streamLimit` is nil.
    init(streamLimit: UInt32?, mostStreams: Int, window: WindowRule? = nil) throws(HTTP2Error) {
        var settings = ServerSettings(capture: .named(Self.captured))
        settings.announced = SettingsChange(streamLimit: streamLimit)
        if let window {
            settings.announced.initialWindowSize = window.stream
            settings.connectionWindow = window.connection ?? settings.connectionWindow
            settings.windowUpdates =
                switch window.updates {
                case .half: .whenHalfUsed
                case .each: .atOnce
                case .never: .never
                }
        }
        settings.maximumStreams = mostStreams + Self.reserve
        session = try ServerSession(settings: settings)
        announcedLimit = streamLimit.map { Int($0) } ?? .max
    }

    /// Says GOAWAY, and takes no more streams.
    func sayGoAway(_ order: GoAwayOrder) throws(HTTP2Error) {
        let code = HTTP2ErrorCode(rawValue: order.code)
        for _ in 0..<(order.isTwice ? 2 : 1) {
            try session.goAway(lastStream: lastTaken, code: code, debug: order.debug)
        }
        // The answer tells that the client has read the GOAWAY, so that what it opens after that is its own fault.
        try session.ping()
        goAwayLast = lastTaken
        closesWhenIdle = !order.staysOpen
    }

    /// Whether a request came on a stream too many: one above the limit that the client knows and the one that it was
    /// told since.
    func isOverLimit(_ request: RequestView) -> Bool {
        request.isOverLimit && session.openStreams > announcedLimit
    }

    /// Tells which requests of the connection are alike, as hosts see it; 0 when that is not known.
    func likeness(of view: RequestView) -> UInt32 { view.variesOnly(in: Self.freePlaces) ? view.likeness : 0 }

    /// A request as hosts see it; its bytes are the session's, valid until the stream is closed.
    func hostRequest(_ view: RequestView, likeness: UInt32) -> HostRequest {
        var request = Self.knownRequest(view, likeness: likeness)
        withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: Self.captured.count) { values in
            guard let values = values.baseAddress else { preconditionFailure("no place for a request's values") }
            view.copyValues(Self.captured.count, to: values)
            request.authorization = values[0]
            request.apnsTopic = values[2]
            request.apnsPushType = values[3]
            request.apnsPriority = values[4]
            request.apnsExpiration = values[5]
            request.apnsCollapseID = values[6]
            request.contentType = values[7]
            request.apnsChannelID = values[8]
            request.apnsRequestID = values[9]
        }
        request.repeatsHeader = view.repeatsAnyField
        return request
    }

    /// What a host that knows the likeness of a push wants to see of it.
    static func knownRequest(_ view: RequestView, likeness: UInt32) -> HostRequest {
        var request = HostRequest()
        request.method = view.method ?? .nothing
        request.path = view.path ?? .nothing
        request.apnsID = view.value(at: 1) ?? .nothing
        request.body = view.body
        request.bodyLength = view.bodyLength
        request.likeness = likeness
        return request
    }

    /// Tells the client of another stream limit.
    func announce(streamLimit: UInt32) throws(HTTP2Error) {
        announcedLimit = Int(streamLimit)
        try session.announce(SettingsChange(streamLimit: streamLimit))
    }

    /// The template for a kind of answer, laid out the first time.
    func template(for kind: ResponseKind) -> ResponseTemplateID {
        let number = kind.number
        for entry in templates where entry.number == number { return entry.template }
        let template = session.prepare(kind.template)
        templates.append((number, template))
        return template
    }
}

/// What tells one response template from another; the rest of an answer is variable.
enum ResponseKind {
    case apns(status: Int)
    case channel(status: Int, hasBody: Bool)
    case fcm(FCMReason?)
    case oauth(OAuthReason?)

    /// Found faster than the kind itself.
    fileprivate var number: Int {
        switch self {
        case .apns(let status): status
        case .channel(let status, let hasBody): (hasBody ? 2000 : 1000) + status
        case .fcm(let reason): 3000 + (reason.map { Int($0.rawValue) + 1 } ?? 0)
        case .oauth(let reason): 4000 + (reason.map { Int($0.rawValue) + 1 } ?? 0)
        }
    }

    fileprivate var template: ResponseTemplate {
        switch self {
        case .apns(200):
            ResponseTemplate(
                status: 200,
                fields: [ResponseField("apns-id", .apnsID), ResponseField("apns-unique-id", .apnsUniqueID)]
            )
        case .apns(let status):
            ResponseTemplate(
                status: status,
                fields: [
                    ResponseField("apns-id", .apnsID), ResponseField("content-type", "application/json"),
                    ResponseField("retry-after", .retryAfter),
                ]
            )
        case .channel(let status, let hasBody):
            // The names differ from those of pushes; the two places for an id of the answer's own are the same.
            ResponseTemplate(
                status: status,
                fields: [ResponseField("apns-request-id", .apnsID), ResponseField("apns-channel-id", .apnsUniqueID)]
                    + (hasBody ? [ResponseField("content-type", "application/json")] : [])
            )
        case .fcm(let reason):
            ResponseTemplate(
                status: reason?.status ?? 200,
                fields: FCMAnswer.headers(reason).map(ResponseField.init) + [ResponseField("retry-after", .retryAfter)]
            )
        case .oauth(let reason):
            ResponseTemplate(status: reason?.status ?? 200, fields: OAuthAnswer.headers(reason).map(ResponseField.init))
        }
    }
}

extension ResponseField {
    fileprivate init(_ header: (name: String, value: String)) {
        self.init(header.name, header.value)
    }
}
