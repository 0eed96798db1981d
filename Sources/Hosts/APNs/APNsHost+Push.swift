import Fleet
import Push

/// The rules about one push: its headers, its payload, its device.
extension APNsHost {
    private static let longestCollapseID = 64

    /// Finds the push type and the app, and whether the topic fits both and the credential covers it.
    ///
    /// A topic of the team's that lacks the suffix of its push type is answered `TopicDisallowed`, as VoIP senders
    /// found (node-apn/node-apn#635). An MDM topic is the UID of a certificate, so under a token any is taken. A
    /// certificate names one topic, which need not be said again. Location pushes need a token; that a certificate's are
    /// `Forbidden` is an assumption.
    func topicRefusal(
        _ request: HostRequest,
        over connection: Connection,
        type: inout PushType,
        appTag: inout UInt16?
    ) -> APNsReason? {
        let topic = request.apnsTopic
        if topic.isEmpty, connection.certificate == nil { return .missingTopic }
        guard TopicBook.isWellFormed(topic) else { return .badTopic }
        if !request.apnsPushType.isEmpty {
            guard let named = PushType(header: request.apnsPushType) else { return .invalidPushType }
            type = named
        }
        if let certificate = connection.certificate {
            return topicRefusal(topic, by: certificate, type: type, appTag: &appTag)
        }
        if type == .mdm { return nil }
        let suffix = type.suffixBytes
        guard topic.ends(with: suffix) else { return .topicDisallowed }
        let bundleID = topic.part(0, topic.count - suffix.utf8CodeUnitCount)
        guard let tag = topics.tag(ofBundleID: bundleID, amongFirst: connection.knownTopics),
            scopes.covers(connection.key, bundleID)
        else { return .topicDisallowed }
        appTag = tag
        return nil
    }

    private func topicRefusal(
        _ topic: UnsafeRawBufferPointer,
        by certificate: ClientCertificate,
        type: PushType,
        appTag: inout UInt16?
    ) -> APNsReason? {
        if type == .location { return .forbidden }
        let suffix = type.suffixBytes
        let isOurs =
            topic.isEmpty
            || (topic.ends(with: suffix)
                && certificate.topic.utf8.elementsEqual(topic.part(0, topic.count - suffix.utf8CodeUnitCount)))
        guard isOurs else { return .topicDisallowed }
        if type != .mdm { appTag = TokenMark.appTag(certificate.topic) }
        return nil
    }

    func headerRefusal(_ request: HostRequest, type: PushType, hasGoodID: Bool) -> APNsReason? {
        if !request.apnsPriority.isEmpty {
            guard let priority = request.apnsPriority.decimal, type.allows(priority: priority) else {
                return .badPriority
            }
        }
        if !request.apnsExpiration.isEmpty, request.apnsExpiration.decimal == nil { return .badExpirationDate }
        if request.apnsCollapseID.count > Self.longestCollapseID { return .badCollapseID }
        if !hasGoodID { return .badMessageID }
        return request.repeatsHeader ? .duplicateHeaders : nil
    }

    func payloadRefusal(_ request: HostRequest, type: PushType) -> APNsReason? {
        guard request.bodyLength > 0 else { return .payloadEmpty }
        return request.bodyLength > type.payloadLimit ? .payloadTooLarge : nil
    }

    /// Whether the device takes the push.
    ///
    /// A token without our mark belongs to a device that takes any app's.
    /// What follows the path is taken for the token first, and searched for a query only if it is none.
    func deviceRefusal(_ request: HostRequest, appTag: UInt16?) -> APNsReason? {
        let rest = request.afterDevicePath
        if let mark = TokenMark(token: rest) { return deviceRefusal(mark, appTag: appTag) }
        if TokenShape.isAPNs(rest) { return nil }
        let token = request.deviceToken
        if let mark = TokenMark(token: token) { return deviceRefusal(mark, appTag: appTag) }
        return TokenShape.isAPNs(token) ? nil : .badDeviceToken
    }

    private func deviceRefusal(_ mark: TokenMark, appTag: UInt16?) -> APNsReason? {
        guard mark.provider == .apns, mark.environment == configuration.environment else { return .badDeviceToken }
        if let appTag, mark.appTag != appTag { return .deviceTokenNotForTopic }
        guard mark.unregistered else { return nil }
        // The identity is random, so a share of its range is that share of the devices.
        let isExpired = Double(mark.identity >> 11) < configuration.expiredTokenShare * 0x1p53
        return isExpired ? .expiredToken : .unregistered
    }
}
