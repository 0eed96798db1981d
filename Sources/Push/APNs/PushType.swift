/// The kinds of notification that APNs tells apart by the `apns-push-type` header.
///
/// Source: Apple, "Sending notification requests to APNs".
package enum PushType: String, Sendable, CaseIterable {
    case alert
    case background
    case location
    case voip
    case complication
    case fileprovider
    case mdm
    case liveactivity
    case pushtotalk
    case widgets
    case controls

    /// What is appended to the bundle id to make the `apns-topic`; empty for alert and background.
    ///
    /// For `mdm` the topic is not a bundle id at all but the UID of the push certificate, so nothing is appended.
    package var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// The priorities that APNs takes for this type.
    package var allowedPriorities: [Int] {
        switch self {
        case .background: [5]
        case .liveactivity: [5, 10]
        default: [1, 5, 10]
        }
    }

    /// The largest payload in bytes.
    package var payloadLimit: Int {
        switch self {
        case .voip: 5120
        default: 4096
        }
    }
}
