import Fleet

/// Decides what the FCM host answers.
///
/// A request is checked in this order: path and method, access token, body, project, message, device. The first rule
/// it breaks is the answer.
///
/// Sources: Firebase, REST resource `projects.messages`, method `send`, and the "ErrorCode" reference.
package struct FCMHost: Sendable {
    package struct Configuration: Sendable {
        /// The project that the access tokens may send for.
        package var projectID: String
        package var seed: UInt64

        package init(projectID: String, seed: UInt64) {
            self.projectID = projectID
            self.seed = seed
        }
    }

    /// What the host remembers about one connection.
    package struct Connection: Sendable, Equatable {
        /// Where the last access token was found.
        fileprivate var tokenHint = 0

        package init() {}
    }

    private static let payloadLimit = 4096
    private static let topicPayloadLimit = 2048

    let configuration: Configuration
    private let sendPath: [UInt8]
    private let projectTag: UInt16
    /// The bodies that go with the answers.
    package let bodies: FCMBodyBook
    private var numbers: SplitMix

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        sendPath = Array("/v1/projects/\(configuration.projectID)/messages:send".utf8)
        projectTag = TokenMark.appTag(configuration.projectID)
        bodies = FCMBodyBook(projectID: configuration.projectID)
        numbers = SplitMix(seed: configuration.seed)
    }

    /// Answers one request; `now` is in nanoseconds since 1970.
    package mutating func answer(
        _ request: HostRequest,
        over connection: inout Connection,
        tokens: AccessTokens,
        at now: Int64
    ) -> FCMAnswer {
        guard let project = Self.project(in: request) else {
            return FCMAnswer(reason: .notFound, ownBody: NotFoundPage.body(path: request.path))
        }
        if let reason = credentialRefusal(request, over: &connection, tokens: tokens, at: now) {
            return FCMAnswer(reason: reason)
        }
        if request.body.count < request.bodyLength { return FCMAnswer(reason: .bodyTooLarge) }
        var reader = SendReader(request.body)
        do {
            if request.bodyLength > 0 { try reader.read() }
        } catch {
            let reason = error.isFromMessaging ? FCMReason.invalidField : .invalidBody
            return FCMAnswer(reason: reason, ownBody: FCMBodies.problem(error, in: request.body))
        }
        guard isOurs(project) else {
            let name = String(decoding: project.prefix(100), as: UTF8.self)
            return FCMAnswer(reason: .permissionDenied, ownBody: FCMBodies.permissionDenied(project: name))
        }
        if let reason = messageRefusal(reader) { return FCMAnswer(reason: reason) }
        return FCMAnswer(messageID: reader.request.validateOnly ? .validated : nextID(at: now))
    }

    /// The `{project}` of `POST /v1/projects/{project}/messages:send`, with or without a query; nil for anything else.
    private static func project(in request: HostRequest) -> UnsafeRawBufferPointer? {
        let (start, end): (StaticString, StaticString) = ("/v1/projects/", "/messages:send")
        let query = request.path.firstIndex(of: UInt8(ascii: "?")) ?? request.path.count
        let path = request.path.part(0, query)
        guard request.method.equals("POST"), path.starts(with: start), path.ends(with: end) else { return nil }
        let (first, last) = (start.utf8CodeUnitCount, path.count - end.utf8CodeUnitCount)
        guard first < last else { return nil }
        let project = path.part(first, last)
        return project.contains(UInt8(ascii: "/")) ? nil : project
    }

    private func credentialRefusal(
        _ request: HostRequest,
        over connection: inout Connection,
        tokens: AccessTokens,
        at now: Int64
    ) -> FCMReason? {
        guard !request.authorization.isEmpty else { return .missingCredentials }
        guard let token = BearerToken.find(in: request.authorization),
            let grant = tokens.find(token, hint: &connection.tokenHint)
        else { return .invalidCredentials }
        guard now < grant.expiresAt else { return .expiredCredentials }
        return grant.allowsMessaging ? nil : .insufficientScope
    }

    private func isOurs(_ project: UnsafeRawBufferPointer) -> Bool {
        configuration.projectID.utf8.elementsEqual(project)
    }

    private func messageRefusal(_ reader: SendReader) -> FCMReason? {
        guard let target = reader.request.target else { return .missingRecipient }
        let limit = target == .token || target == .fid ? Self.payloadLimit : Self.topicPayloadLimit
        if reader.request.payloadSize > limit { return .messageTooLarge }
        return reader.withTargetName { name in
            switch target {
            case .token: deviceRefusal(name)
            case .fid: name.count == 22 && name.allSatisfy(\.isTokenCharacter) ? nil : .invalidToken
            case .topic: !name.isEmpty && name.allSatisfy(\.isTopicCharacter) ? nil : .invalidTopic
            case .condition: name.isEmpty ? .invalidTopic : nil
            }
        }
    }

    /// Whether the device takes the message.
    ///
    /// A token without our mark belongs to a device that takes any project's.
    private func deviceRefusal(_ token: UnsafeRawBufferPointer) -> FCMReason? {
        guard let mark = TokenMark(token: token), mark.provider == .fcm else {
            return TokenShape.isFCM(token) ? nil : .invalidToken
        }
        if mark.appTag != projectTag { return .senderIDMismatch }
        return mark.unregistered ? .unregistered : nil
    }

    private mutating func nextID(at now: Int64) -> FCMAnswer.MessageID {
        .number(microseconds: now / 1000, tail: numbers.next())
    }
}

extension UInt8 {
    /// The characters of base64url, of which tokens consist.
    fileprivate var isTokenCharacter: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    /// "[a-zA-Z0-9-_.~%]+" (Firebase, topic names).
    fileprivate var isTopicCharacter: Bool {
        isTokenCharacter || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") || self == UInt8(ascii: "%")
    }
}
