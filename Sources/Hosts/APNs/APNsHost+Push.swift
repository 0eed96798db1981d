import Fleet
import Push

/// The rules about one push: its headers, its payload, its device.
extension APNsHost {
    private static let longestCollapseID = 64

    /// Finds the push type and the app, and whether the topic fits both.
    ///
    /// A topic of the team's that lacks the suffix of its push type is answered `TopicDisallowed`, as VoIP senders
    /// found (node-apn/node-apn#635). An MDM topic is the UID of a certificate, so any is taken.
    func topicRefusal(_ request: HostRequest, type: inout PushType, appTag: inout UInt16?) -> APNsReason? {
        let topic = request.apnsTopic
        guard !topic.isEmpty else { return .missingTopic }
        guard TopicBook.isWellFormed(topic) else { return .badTopic }
        if !request.apnsPushType.isEmpty {
            guard let named = PushType(header: request.apnsPushType) else { return .invalidPushType }
            type = named
        }
        if type == .mdm { return nil }
        let suffix = type.suffixBytes
        guard topic.ends(with: suffix),
            let tag = topics.tag(ofBundleID: topic.part(0, topic.count - suffix.utf8CodeUnitCount))
        else { return .topicDisallowed }
        appTag = tag
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
        return mark.unregistered ? .unregistered : nil
    }
}
