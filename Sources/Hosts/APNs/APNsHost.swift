package import Fleet
import Push

/// Decides what an APNs host answers: a value that is asked, keeps count of nothing but its numbers, and does nothing.
///
/// One host serves one environment. A request is checked in this order, and the first rule it breaks is the answer:
/// method, path, provider token, topic, push type, priority, expiration, collapse id, `apns-id`, repeated headers,
/// payload, device token. Apple documents the rules but not their order; that the credential comes before everything
/// about the push was seen live, the rest follows pushy's mock server.
///
/// Sources: Apple, "Sending notification requests to APNs", "Handling notification responses from APNs" and
/// "Establishing a connection to APNs".
package struct APNsHost: Sendable {
    /// How the host differs from another one.
    package struct Configuration: Sendable {
        package var environment: Environment
        package var keys: [ProviderKey]
        /// The bundle ids that the keys may send to.
        package var bundleIDs: [String]
        /// "only one stream until you post a request with a valid token".
        package var unauthenticatedStreamLimit: UInt32 = 1
        /// As announced by the production host in 2021 (jchambers/pushy#878).
        package var streamLimit: UInt32 = 1000
        /// A provider token older than this is expired: one hour, in nanoseconds.
        package var longestTokenAge: Int64 = 3_600_000_000_000
        /// When the host started, in nanoseconds since 1970: the dates in its 410 answers lie before.
        package var startedAt: Int64
        package var seed: UInt64

        package init(
            environment: Environment,
            keys: [ProviderKey],
            bundleIDs: [String],
            startedAt: Int64,
            seed: UInt64
        ) {
            self.environment = environment
            self.keys = keys
            self.bundleIDs = bundleIDs
            self.startedAt = startedAt
            self.seed = seed
        }
    }

    /// What the host remembers about one connection.
    package struct Connection: Sendable, Equatable {
        /// Whether a request with a valid token was posted, so that the stream limit is the large one.
        package fileprivate(set) var isAuthenticated = false

        package init() {}
    }

    let configuration: Configuration
    let topics: TopicBook
    package let tokenRules: ProviderTokenRules
    var numbers: SplitMix

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        topics = TopicBook(bundleIDs: configuration.bundleIDs, tag: TokenMark.appTag)
        var rules = ProviderTokenRules(keys: configuration.keys)
        rules.longestAge = configuration.longestTokenAge
        tokenRules = rules
        numbers = SplitMix(seed: configuration.seed)
    }

    /// The stream limit to announce when a connection opens.
    package var initialStreamLimit: UInt32 { configuration.unauthenticatedStreamLimit }

    /// The stream limit that a connection has once a valid token came over it.
    package var streamLimit: UInt32 { configuration.streamLimit }

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
        answer.reason =
            routeRefusal(request) ?? tokenRules.refusal(of: token, at: now)
            ?? pushRefusal(
                request,
                hasGoodID: givenID != nil || request.apnsID.isEmpty,
                over: &connection,
                raising: &answer.streamLimit
            )
        if answer.reason?.hasTimestamp == true {
            answer.timestampMilliseconds = invalidSince(request.deviceToken)
        }
        if answer.reason == nil, configuration.environment == .sandbox {
            answer.uniqueID = UUIDText(from: &numbers, upperCase: false)
        }
        return answer
    }

    private func routeRefusal(_ request: HostRequest) -> APNsReason? {
        guard request.method.equals("POST") else { return .methodNotAllowed }
        guard request.path.starts(with: HostRequest.devicePath) else {
            return request.path.equals("/3/device") ? .missingDeviceToken : .badPath
        }
        let rest = request.afterDevicePath
        return rest.isEmpty || rest[0] == UInt8(ascii: "?") ? .missingDeviceToken : nil
    }

    /// The rules about the push itself, once its provider token is known to be good.
    private func pushRefusal(
        _ request: HostRequest,
        hasGoodID: Bool,
        over connection: inout Connection,
        raising streamLimit: inout UInt32?
    ) -> APNsReason? {
        if !connection.isAuthenticated {
            connection.isAuthenticated = true
            streamLimit = configuration.streamLimit
        }
        var pushType = PushType.alert
        var appTag: UInt16?
        return topicRefusal(request, type: &pushType, appTag: &appTag)
            ?? headerRefusal(request, type: pushType, hasGoodID: hasGoodID)
            ?? payloadRefusal(request, type: pushType)
            ?? deviceRefusal(request, appTag: appTag)
    }

    /// A date that stays the same for a token as long as the host runs, up to 30 days before it started.
    private func invalidSince(_ token: UnsafeRawBufferPointer) -> Int64 {
        let longest: UInt64 = 30 * 24 * 3600 * 1000
        return configuration.startedAt / 1_000_000 - Int64(token.hash64 % longest) - 1
    }
}

extension HostRequest {
    static let devicePath: StaticString = "/3/device/"

    /// What stands after `/3/device/`, of a path that is at least that long.
    var afterDevicePath: UnsafeRawBufferPointer { path.part(Self.devicePath.utf8CodeUnitCount, path.count) }

    /// The same without a query.
    var deviceToken: UnsafeRawBufferPointer {
        let rest = afterDevicePath
        return rest.firstIndex(of: UInt8(ascii: "?")).map { rest.part(0, $0) } ?? rest
    }
}
