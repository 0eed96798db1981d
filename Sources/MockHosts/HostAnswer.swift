import Hosts
import Push

/// An answer of any of the hosts.
enum HostAnswer {
    case apns(APNsAnswer)
    case channel(ChannelAnswer)
    case fcm(FCMAnswer)
    case oauth(OAuthAnswer)
    /// What every host says under the canned policy.
    case canned

    var status: Int {
        switch self {
        case .apns(let answer): answer.status
        case .channel(let answer): answer.status
        case .fcm(let answer): answer.status
        case .oauth(let answer): answer.status
        case .canned: 200
        }
    }

    /// How faults and counts tell it from others.
    var kind: AnswerKind {
        switch self {
        case .canned: .accepted
        case .apns(let answer):
            switch answer.reason {
            case nil: .accepted
            case .unregistered, .expiredToken: .unregistered
            case .badDeviceToken: .badDeviceToken
            case .expiredProviderToken, .tooManyProviderTokenUpdates: .staleToken
            default: .refused
            }
        case .channel(let answer): answer.reason == nil ? .accepted : .refused
        case .fcm(let answer): answer.reason == nil ? .accepted : .refused
        case .oauth(let answer): answer.reason == nil ? .accepted : .refused
        }
    }

    /// Whether it will be the same however often the push is sent.
    var isForGood: Bool {
        switch self {
        case .apns(let answer):
            switch answer.reason {
            case .badDeviceToken, .deviceTokenNotForTopic, .unregistered, .expiredToken, .payloadTooLarge: true
            default: false
            }
        case .fcm(let answer):
            switch answer.reason {
            case .unregistered, .senderIDMismatch, .invalidToken: true
            default: false
            }
        case .channel, .oauth, .canned: false
        }
    }

    /// A stream limit to be announced with it.
    var streamLimit: UInt32? {
        get {
            switch self {
            case .apns(let answer): answer.streamLimit
            case .channel(let answer): answer.streamLimit
            case .fcm, .oauth, .canned: nil
            }
        }
        set {
            switch self {
            case .apns(var answer):
                answer.streamLimit = newValue
                self = .apns(answer)
            case .channel(var answer):
                answer.streamLimit = newValue
                self = .channel(answer)
            case .fcm, .oauth, .canned: break
            }
        }
    }
}
