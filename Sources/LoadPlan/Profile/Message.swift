/// A template that pushes are made from; a run draws templates by weight.
package struct Message: Sendable, Equatable {
    package var name: String?
    package var weight = 1
    /// One of ``pushTypes``; FCM sends `background` as a data-only message and the others as notifications.
    package var pushType = "alert"
    /// `apns-priority`: 10, 5 or 1; for FCM, 10 is HIGH and the others are NORMAL.
    package var priority = 10
    /// The size of a payload that is made up, when `payload` is nil; `nil` means ``standardPayloadBytes``.
    package var payloadBytes: Int?
    /// A literal payload: the text of a JSON object, in which each ``Placeholder`` stands for something of the device.
    package var payload: String?
    /// Whether the app may change an alert that is made up before it is shown (`mutable-content`).
    package var mutableContent = false
    /// `apns-topic` instead of the app's with the push type's suffix.
    package var topic: String?
    /// Seconds for which a host may store the push; 0: try once; `nil`: the host's own default.
    package var ttl: Int64?
    /// At most 64 bytes of UTF-8.
    package var collapseKey: String?
    package var fcm = FCMOptions()

    package init() {}

    package static let standardPayloadBytes = 126
    /// The push types of `apns-push-type` (Apple: "Sending notification requests to APNs").
    package static let pushTypes = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity",
        "pushtotalk", "widgets", "controls",
    ]

    /// The largest payload of a push type: 5,120 bytes for VoIP, 4,096 for all others and for FCM.
    ///
    /// Sources: Apple, "Generating a remote notification"; Firebase, "About FCM messages".
    package static func payloadLimit(pushType: String) -> Int { pushType == "voip" ? 5120 : 4096 }

    /// The largest payload of an FCM message to a topic or condition (Firebase, "About FCM messages").
    package static let fanOutPayloadLimit = 2048

    /// What ends the topic of a push type; empty for alert and background, nil for `mdm`, whose topic is a UID.
    ///
    /// Source: Apple, "Sending notification requests to APNs".
    package static func topicSuffix(pushType: String) -> String? {
        switch pushType {
        case "location": ".location-query"
        case "voip": ".voip"
        case "complication": ".complication"
        case "fileprovider": ".pushkit.fileprovider"
        case "liveactivity": ".push-type.liveactivity"
        case "pushtotalk": ".voip-ptt"
        case "widgets": ".push-type.widgets"
        case "controls": ".push-type.controls"
        case "mdm": nil
        default: ""
        }
    }

    /// The priorities that APNs takes for a push type (Apple: "Sending notification requests to APNs").
    package static func priorities(pushType: String) -> [Int] {
        switch pushType {
        case "background": [5]
        case "liveactivity": [5, 10]
        default: [1, 5, 10]
        }
    }
}
