import Hosts

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
}
