import Fleet
import Push

/// Broadcasts, and the channels that they go to.
///
/// Not for load: it allocates. A request is checked in this order: path, method, parameters,
/// credential, `apns-request-id`, app, rate, and then what the route asks for. Apple documents the reasons but not their
/// order.
///
/// Sources: Apple, "Sending broadcast push notification requests to APNs", "Sending channel management requests to
/// APNs", "Handling error responses from APNs".
extension APNsHost {
    private static let broadcastLimit = 5120

    /// Whether a request on the port that takes pushes is a broadcast.
    package static func isBroadcast(_ request: HostRequest) -> Bool { ChannelRoute.isBroadcast(request.path) }

    /// Answers a broadcast or a request about channels.
    ///
    /// - Parameters:
    ///   - request: views that only this call looks at.
    ///   - isManagement: whether it came over a port of the host that manages channels, which takes nothing else.
    ///   - connection: what the host remembers about the connection that the request came over.
    ///   - token: the standing of the provider token that the request carries.
    ///   - now: nanoseconds since 1970.
    package mutating func answerChannel(
        _ request: HostRequest,
        isManagement: Bool,
        over connection: inout Connection,
        token: ProviderTokenStanding,
        at now: Int64
    ) -> ChannelAnswer {
        let givenID = UUIDText(request.apnsRequestID)
        var answer = ChannelAnswer(requestID: givenID ?? UUIDText(from: &numbers, upperCase: true))
        let wasAuthenticated = connection.isAuthenticated
        do throws(Refusal) {
            let found = try Self.route(request, isManagement: isManagement)
            if let reason = credentialRefusal(token, over: &connection, at: now) { throw Refusal(of: reason) }
            guard givenID != nil || request.apnsRequestID.isEmpty else { throw Refusal(.badMessageID) }
            let app = try app(found.bundleID, over: connection)
            guard takesBroadcast(at: now) else { throw Refusal(.tooManyRequests) }
            switch found.route {
            case .broadcast: try broadcast(request, to: app)
            case .channels: try channel(request, of: app, &answer)
            case .allChannels: answer.body = Self.list(channels.all(for: app))
            }
        } catch {
            answer.refuse(error.reason)
        }
        if connection.isAuthenticated, !wasAuthenticated { answer.streamLimit = configuration.streamLimit }
        return answer
    }

    private struct Refusal: Error {
        var reason: BroadcastReason

        init(_ reason: BroadcastReason) {
            self.reason = reason
        }

        /// A refusal for what device pushes are refused for too.
        init(of reason: APNsReason) {
            self.reason = BroadcastReason(reason) ?? .internalServerError
        }
    }

    private static func route(_ request: HostRequest, isManagement: Bool) throws(Refusal) -> ChannelRoute.Found {
        guard let found = ChannelRoute.find(in: request.path), (found.route == .broadcast) != isManagement else {
            throw Refusal(.badPath)
        }
        guard found.route.allows(request.method) else { throw Refusal(.methodNotAllowed) }
        // No request has parameters in its query.
        guard !found.hasQuery else { throw Refusal(.badRequestParams) }
        return found
    }

    /// The app of a path, which has no suffix and is one that the credential may send to.
    private func app(_ bundleID: UnsafeRawBufferPointer, over connection: Connection) throws(Refusal) -> String {
        let name = String(decoding: bundleID, as: UTF8.self)
        if PushType.allCases.contains(where: { !$0.topicSuffix.isEmpty && name.hasSuffix($0.topicSuffix) }) {
            throw Refusal(.topicDisallowed)
        }
        let isOurs =
            connection.certificate.map { $0.topic == name }
            ?? (topics.tag(ofBundleID: bundleID, amongFirst: connection.knownTopics) != nil
                && scopes.covers(connection.key, bundleID))
        guard isOurs else { throw Refusal(.topicMismatch) }
        guard configuration.broadcastApps?.contains(name) ?? true else { throw Refusal(.featureNotEnabled) }
        return name
    }

    private func broadcast(_ request: HostRequest, to app: String) throws(Refusal) {
        let storage = try storage(request, of: app).storage
        guard !request.apnsPushType.isEmpty else { throw Refusal(.missingPushType) }
        guard request.apnsPushType.equals("liveactivity") else { throw Refusal(.invalidPushType) }
        if !request.apnsPriority.isEmpty {
            guard let priority = request.apnsPriority.decimal, PushType.liveactivity.allows(priority: priority) else {
                throw Refusal(.badPriority)
            }
        }
        // A channel that keeps nothing takes only messages that need not be kept.
        let expiration = request.apnsExpiration.isEmpty ? 0 : request.apnsExpiration.decimal
        guard let expiration, storage == .mostRecent || expiration == 0 else { throw Refusal(.badExpirationDate) }
        guard request.bodyLength > 0 else { throw Refusal(.payloadEmpty) }
        guard request.bodyLength <= Self.broadcastLimit else { throw Refusal(.payloadTooLarge) }
    }

    /// Makes, reads or removes a channel.
    private mutating func channel(
        _ request: HostRequest,
        of app: String,
        _ answer: inout ChannelAnswer
    ) throws(Refusal) {
        if request.method.equals("POST") {
            let storage = try Self.newChannel(request)
            guard let id = channels.make(for: app, storage, using: &numbers) else {
                throw Refusal(.cannotCreateChannelConfig)
            }
            (answer.success, answer.channelID) = (201, id)
            return
        }
        let found = try storage(request, of: app)
        answer.channelID = found.id
        if request.method.equals("DELETE") {
            _ = channels.remove(found.id, for: app)
            answer.success = 204
        } else {
            let policy = found.storage.rawValue
            answer.body = Array("{\"message-storage-policy\":\(policy),\"push-type\":\"LiveActivity\"}".utf8)
        }
    }

    /// The channel that the request names, and how it keeps messages.
    private func storage(
        _ request: HostRequest,
        of app: String
    ) throws(Refusal) -> (id: [UInt8], storage: ChannelBook.Storage) {
        guard !request.apnsChannelID.isEmpty else { throw Refusal(.missingChannelID) }
        guard ChannelBook.isWellFormed(request.apnsChannelID) else { throw Refusal(.badChannelID) }
        let id = Array(request.apnsChannelID)
        guard let storage = channels.storage(of: id, for: app) else { throw Refusal(.channelNotRegistered) }
        return (id, storage)
    }

    private static func newChannel(_ request: HostRequest) throws(Refusal) -> ChannelBook.Storage {
        guard request.bodyLength > 0 else { throw Refusal(.payloadEmpty) }
        guard request.bodyLength <= broadcastLimit else { throw Refusal(.payloadTooLarge) }
        guard let form = try? ChannelForm(request.body), let storage = form.storage else {
            throw Refusal(.badRequestPayload)
        }
        guard let type = form.pushType else { throw Refusal(.missingPushType) }
        guard type == Array("LiveActivity".utf8) else { throw Refusal(.invalidPushType) }
        return storage
    }

    private static func list(_ channels: [String]) -> [UInt8] {
        Array("{\"channels\":[\(channels.map { "\"\($0)\"" }.joined(separator: ","))]}".utf8)
    }
}

/// The body that asks for a channel: `{"message-storage-policy": 0 | 1, "push-type": "LiveActivity"}`.
private struct ChannelForm {
    /// nil if it is missing or neither of the two.
    private(set) var storage: ChannelBook.Storage?
    private(set) var pushType: [UInt8]?

    init(_ body: UnsafeRawBufferPointer) throws(BodyProblem) {
        var reader = JSONReader(body)
        guard try reader.peek() == .object else { throw reader.fault }
        try reader.expect(UInt8(ascii: "{"))
        guard !reader.take(UInt8(ascii: "}")) else {
            try reader.end()
            return
        }
        repeat {
            let name = reader.unescaped(try reader.key())
            let value = try reader.peek()
            if name.elementsEqual("message-storage-policy".utf8), value == .number {
                let digits = body[try reader.number()].bytes.decimal
                storage = digits.flatMap { UInt8(exactly: $0) }.flatMap(ChannelBook.Storage.init)
            } else if name.elementsEqual("push-type".utf8), value == .string {
                pushType = reader.unescaped(try reader.string())
            } else {
                try reader.skipValue()
            }
        } while try reader.continues(until: UInt8(ascii: "}"))
        try reader.end()
    }
}
