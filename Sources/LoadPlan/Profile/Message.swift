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
    /// A literal payload: the text of a JSON object.
    package var payload: String?
    /// Seconds for which a host may store the push; 0: try once; `nil`: the host's own default.
    package var ttl: Int64?
    /// At most 64 bytes of UTF-8.
    package var collapseKey: String?

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

    /// The priorities that APNs takes for a push type (Apple: "Sending notification requests to APNs").
    package static func priorities(pushType: String) -> [Int] {
        switch pushType {
        case "background": [5]
        case "liveactivity": [5, 10]
        default: [1, 5, 10]
        }
    }
}
