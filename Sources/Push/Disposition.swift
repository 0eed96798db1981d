package import Fleet

/// What a sender should do about a host's answer.
package enum Disposition: String, Sendable, CaseIterable {
    /// The host took the push.
    case delivered
    /// The app is gone from the device: delete the token.
    case removeDevice
    /// The token can't be right for this app or environment: look into it, don't send to it again.
    case invalidDevice
    /// Our credential, environment or permission is wrong: no further push of the lane can succeed.
    case configurationFault
    /// The host may take the same push later.
    case retryLater
    /// This push is refused for good; the device is not to blame.
    case rejected

    /// The disposition of an answer.
    ///
    /// Known reasons decide by their own tables. Unknown ones are judged by status, with configuration faults looked
    /// at before retry statuses, so that a fault of ours is never taken for a busy host.
    package init(provider: Provider, status: Int, reason: String) {
        switch provider {
        case _ where (200...299).contains(status):
            self = .delivered
        case .apns:
            self = APNsReason(rawValue: reason)?.disposition ?? Self(unknownReasonWith: status)
        case .fcm:
            self = FCMErrorCode(rawValue: reason)?.disposition ?? Self(unknownReasonWith: status)
        }
    }

    private init(unknownReasonWith status: Int) {
        switch status {
        case 401, 403: self = .configurationFault
        case 410: self = .removeDevice
        case 429, 500...599: self = .retryLater
        default: self = .rejected
        }
    }
}
