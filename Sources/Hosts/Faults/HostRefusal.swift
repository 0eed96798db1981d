package import Push

/// A reason that a fault has a host give, whatever is in the request.
package enum HostRefusal: Sendable, Equatable {
    case apns(APNsReason)
    case fcm(FCMReason)
    case oauth(OAuthReason)

    /// The reason that a fault's word names; nil for a word that the host does not know.
    init?(_ word: String, host: String) {
        switch host {
        case "fcm":
            let reason = word == "bad-gateway" ? .badGateway : FCMReason.allCases.first { $0.label == word }
            guard let reason else { return nil }
            self = .fcm(reason)
        case "oauth":
            let reason = word == "bad-gateway" ? .badGateway : OAuthReason.allCases.first { $0.label == word }
            guard let reason else { return nil }
            self = .oauth(reason)
        default:
            guard let reason = APNsReason(rawValue: word) else { return nil }
            self = .apns(reason)
        }
    }
}
