import Fleet

/// Decides what the FCM host answers.
///
/// A request is checked in this order: path and method, access token, the project's quota, body, project, message,
/// device, the device's limits. The first rule it breaks is the answer. Whatever comes after the project's quota counts
/// towards it, refused or not.
///
/// Sources: Firebase, REST resource `projects.messages`, method `send`, the "ErrorCode" reference, and "Throttling and
/// quotas".
package struct FCMHost: Sendable {
    /// What the host remembers about one connection.
    package struct Connection: Sendable, Equatable {
        /// Where the last access token was found.
        fileprivate var tokenHint = 0
        /// Tells the last access token from others; 0 before there was one.
        package fileprivate(set) var credential: UInt64 = 0

        package init() {}
    }

    private static let payloadLimit = 4096
    private static let topicPayloadLimit = 2048

    let configuration: Configuration
    private let projectTag: UInt16
    /// The project's id and number.
    private let projectNames: [[UInt8]]
    private let texts: FCMBodies
    /// The bodies that go with the answers.
    package let bodies: FCMBodyBook
    private var numbers: SplitMix
    private var quota: QuotaWindow?
    private var topics: QuotaWindow?
    private var devices: DeviceTable?
    /// Accepted messages that the service holds back, because their devices had too many that replace one another.
    package private(set) var delayed: UInt64 = 0

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        projectTag = TokenMark.appTag(configuration.projectID)
        projectNames = [configuration.projectID, configuration.projectNumber].map { Array($0.utf8) }
        texts = FCMBodies(
            style: configuration.style,
            projectNumber: configuration.projectNumber,
            quota: configuration.quota?.most ?? 0
        )
        bodies = FCMBodyBook(projectID: configuration.projectID, texts)
        numbers = SplitMix(seed: configuration.seed)
        let phase = configuration.quotaPhase ?? Int64(numbers.next() >> 1)
        quota = configuration.quota.map { QuotaWindow($0, phase: phase) }
        topics = configuration.topicLimit.map { QuotaWindow($0, phase: phase) }
        devices = configuration.deviceLimits.map { DeviceTable($0, capacity: configuration.deviceCapacity) }
    }

    /// Refuses a request for a reason that needs no fault in it.
    package func refuse(_ reason: FCMReason) -> FCMAnswer { FCMAnswer(reason: reason) }

    /// What is spent of the project's quota in the window that the last message was counted in.
    package var quotaUsed: Int { quota?.used ?? 0 }

    /// Answers one request; `now` is in nanoseconds since 1970.
    package mutating func answer(
        _ request: HostRequest,
        over connection: inout Connection,
        tokens: AccessTokens,
        at now: Int64
    ) -> FCMAnswer {
        guard let project = Self.project(in: request) else {
            return FCMAnswer(reason: .notFound, ownBody: FrontEndPage.notFound(path: request.path))
        }
        if let reason = credentialRefusal(request, over: &connection, tokens: tokens, at: now) {
            return FCMAnswer(reason: reason)
        }
        let isOurs = isOurs(project)
        if isOurs, quota?.take(at: now) == false { return FCMAnswer(reason: .projectQuota) }
        if request.body.count < request.bodyLength { return FCMAnswer(reason: .bodyTooLarge) }
        var reader = SendReader(request.body)
        do {
            if request.bodyLength > 0 { try reader.read() }
        } catch {
            let reason = error.isFromMessaging ? FCMReason.invalidField : .invalidBody
            return FCMAnswer(reason: reason, ownBody: texts.problem(error, in: request.body))
        }
        guard isOurs else {
            let name = String(decoding: project.prefix(100), as: UTF8.self)
            return FCMAnswer(reason: .permissionDenied, ownBody: texts.permissionDenied(project: name))
        }
        if let reason = messageRefusal(reader) { return FCMAnswer(reason: reason) }
        if reader.request.validateOnly { return FCMAnswer() }
        return deliver(reader, at: now)
    }

    /// Takes a message that is in order, as far as its target may get one more.
    private mutating func deliver(_ reader: SendReader, at now: Int64) -> FCMAnswer {
        switch reader.request.target {
        case .topic, .condition:
            if topics?.take(at: now) == false { return FCMAnswer(reason: .topicQuota) }
        case .token, .fid, .none:
            guard devices != nil else { break }
            let device = reader.withTargetName { $0.hash64 }
            switch devices?.count(device, isCollapsible: reader.request.isCollapsible, at: now) {
            case .exceeded: return FCMAnswer(reason: .deviceQuota)
            case .delayed:
                delayed += 1
                return FCMAnswer(messageID: nextID(at: now), isDelayed: true)
            case .allowed, .none: break
            }
        }
        return FCMAnswer(messageID: nextID(at: now))
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
        let hint = connection.tokenHint
        guard let token = BearerToken.find(in: request.authorization),
            let grant = tokens.find(token, hint: &connection.tokenHint)
        else { return .invalidCredentials }
        if connection.tokenHint != hint || connection.credential == 0 { connection.credential = token.hash64 }
        guard now < grant.expiresAt else { return .expiredCredentials }
        return grant.allowsMessaging ? nil : .insufficientScope
    }

    private func isOurs(_ project: UnsafeRawBufferPointer) -> Bool {
        projectNames.contains { name in name.withUnsafeBytes { $0.equals(project) } }
    }

    private func messageRefusal(_ reader: SendReader) -> FCMReason? {
        guard let target = reader.request.target else { return .missingRecipient }
        let limit = target == .token || target == .fid ? Self.payloadLimit : Self.topicPayloadLimit
        if reader.request.payloadSize > limit { return .messageTooLarge }
        if reader.request.needsThirdParty, !configuration.hasThirdPartyCredential { return .thirdPartyAuth }
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
