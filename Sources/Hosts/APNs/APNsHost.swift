import Fleet
import Push

/// Decides what an APNs host answers: a value that is asked, remembers what its rules need, and does nothing.
///
/// One host serves one environment, on all of its ports. A request is checked in this order, and the first rule it
/// breaks is the answer: idle time, method, path, credential, topic, push type, priority, expiration, collapse id,
/// `apns-id`, repeated headers, payload, device token, rate per device. Apple documents the rules but not their order;
/// that the credential comes before everything about the push was seen live, the rest follows pushy's mock server.
///
/// Sources: Apple, "Sending notification requests to APNs", "Handling notification responses from APNs" and
/// "Establishing a connection to APNs".
package struct APNsHost: Sendable {
    let configuration: Configuration
    var topics: TopicBook
    package let tokenRules: ProviderTokenRules
    let scopes: KeyScopes
    var numbers: SplitMix
    var channels: ChannelBook
    private var devices: DeviceTable?
    private var broadcasts: QuotaWindow?
    /// Topics can be added while the host runs, and each push may have to be held against all of them.
    private static let mostTopics = 1024

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        topics = TopicBook(bundleIDs: configuration.bundleIDs, tag: TokenMark.appTag)
        var rules = ProviderTokenRules(keys: configuration.keys)
        rules.longestAge = configuration.longestTokenAge
        tokenRules = rules
        scopes = KeyScopes(configuration.keys)
        numbers = SplitMix(seed: configuration.seed)
        channels = ChannelBook(most: configuration.mostChannels)
        devices = configuration.deviceLimit.map {
            DeviceTable(DeviceLimits(short: $0), capacity: configuration.deviceCapacity)
        }
        broadcasts = configuration.broadcastLimit.map { QuotaWindow($0) }
    }

    /// The stream limit to announce when a connection opens: large for one that showed a certificate.
    package func initialStreamLimit(of connection: Connection = Connection()) -> UInt32 {
        connection.isAuthenticated ? configuration.streamLimit : configuration.unauthenticatedStreamLimit
    }

    /// The stream limit that a connection has once a valid token came over it.
    package var streamLimit: UInt32 { configuration.streamLimit }

    /// Lets the keys send to one more app, over connections whose first push is still to come.
    ///
    /// Source: Apple, "Establishing a connection to APNs": what a connection may send to is fixed at its first push.
    /// - Returns: False for a text that can be no topic, and for one too many.
    @discardableResult
    package mutating func add(bundleID: String) -> Bool {
        let isTopic = Array(bundleID.utf8).withUnsafeBytes { !$0.isEmpty && TopicBook.isWellFormed($0) }
        guard isTopic, topics.count < Self.mostTopics else { return false }
        topics.add(bundleID, tag: TokenMark.appTag)
        return true
    }

    /// Answers one request.
    ///
    /// - Parameters:
    ///   - request: views that only this call looks at.
    ///   - connection: what the host remembers about the connection that the request came over.
    ///   - token: the standing of the provider token that the request carries.
    ///   - now: nanoseconds since 1970.
    /// - Returns: what to send back, and whether the stream limit changes with it.
    package mutating func answer(
        _ request: HostRequest,
        over connection: inout Connection,
        token: ProviderTokenStanding,
        at now: Int64
    ) -> APNsAnswer {
        let givenID = UUIDText(request.apnsID)
        var answer = APNsAnswer(messageID: givenID ?? UUIDText(from: &numbers, upperCase: true))
        let wasAuthenticated = connection.isAuthenticated
        answer.reason =
            idleRefusal(over: &connection, at: now) ?? routeRefusal(request)
            ?? credentialRefusal(token, over: &connection, at: now)
            ?? pushRefusal(
                request,
                hasGoodID: givenID != nil || request.apnsID.isEmpty,
                over: &connection,
                token: token,
                at: now
            )
        if connection.isAuthenticated, !wasAuthenticated { answer.streamLimit = configuration.streamLimit }
        if answer.reason?.hasTimestamp == true {
            answer.timestampMilliseconds = invalidSince(request.deviceToken)
        }
        if answer.reason == nil, configuration.environment == .sandbox {
            answer.uniqueID = UUIDText(from: &numbers, upperCase: false)
        }
        return answer
    }

    /// Whether the connection was idle for too long.
    func idleRefusal(over connection: inout Connection, at now: Int64) -> APNsReason? {
        guard let longest = configuration.idleTimeout else { return nil }
        return connection.wasIdle(longerThan: longest, at: now) ? .idleTimeout : nil
    }

    private func routeRefusal(_ request: HostRequest) -> APNsReason? {
        guard request.method.equals("POST") else { return .methodNotAllowed }
        guard request.path.starts(with: HostRequest.devicePath) else {
            return request.path.equals("/3/device") ? .missingDeviceToken : .badPath
        }
        let rest = request.afterDevicePath
        return rest.isEmpty || rest[0] == UInt8(ascii: "?") ? .missingDeviceToken : nil
    }

    /// The rules about the push itself, once its credential is known to be good.
    private mutating func pushRefusal(
        _ request: HostRequest,
        hasGoodID: Bool,
        over connection: inout Connection,
        token: ProviderTokenStanding,
        at now: Int64
    ) -> APNsReason? {
        if let known = connection.known.find(request.likeness) {
            return hasGoodID ? bodyRefusal(request, type: known.type, appTag: known.appTag, at: now) : .badMessageID
        }
        var known = KnownPush(likeness: request.likeness, token: token)
        let refusal =
            topicRefusal(request, over: connection, type: &known.type, appTag: &known.appTag)
            ?? headerRefusal(request, type: known.type, hasGoodID: hasGoodID)
        if let refusal { return refusal }
        connection.known.keep(known)
        return bodyRefusal(request, type: known.type, appTag: known.appTag, at: now)
    }

    /// The rules about what differs from push to push: payload and device.
    private mutating func bodyRefusal(
        _ request: HostRequest,
        type: PushType,
        appTag: UInt16?,
        at now: Int64
    ) -> APNsReason? {
        payloadRefusal(request, type: type) ?? deviceRefusal(request, appTag: appTag) ?? rateRefusal(request, at: now)
    }

    /// Whether one device gets too much.
    private mutating func rateRefusal(_ request: HostRequest, at now: Int64) -> APNsReason? {
        guard devices != nil else { return nil }
        let verdict = devices?.count(request.deviceToken.hash64, isCollapsible: false, at: now)
        return verdict == .exceeded ? .tooManyRequests : nil
    }

    /// Whether there is room for one more broadcast or channel request.
    mutating func takesBroadcast(at now: Int64) -> Bool { broadcasts?.take(at: now) ?? true }

    /// A date that stays the same for a token as long as the host runs, up to 30 days before it started.
    private func invalidSince(_ token: UnsafeRawBufferPointer) -> Int64 {
        let longest: UInt64 = 30 * 24 * 3600 * 1000
        return configuration.startedAt / 1_000_000 - Int64(token.hash64 % longest) - 1
    }
}

extension HostRequest {
    static let devicePath: StaticString = "/3/device/"

    /// Whether a path can be that of a push to a device.
    package static func isOfDevice(_ path: UnsafeRawBufferPointer) -> Bool { path.starts(with: devicePath) }

    /// What stands after `/3/device/`, of a path that is at least that long.
    var afterDevicePath: UnsafeRawBufferPointer { path.part(Self.devicePath.utf8CodeUnitCount, path.count) }

    /// The same without a query.
    var deviceToken: UnsafeRawBufferPointer {
        let rest = afterDevicePath
        return rest.firstIndex(of: UInt8(ascii: "?")).map { rest.part(0, $0) } ?? rest
    }
}
