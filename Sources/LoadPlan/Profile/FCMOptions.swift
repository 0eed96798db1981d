/// What a message says to FCM beyond what it says to both services.
package struct FCMOptions: Sendable, Equatable {
    /// How a device is named in the body.
    package var address: FCMAddress = .token
    /// Sends to a topic instead of the device.
    package var topic: String?
    /// Sends to a condition over topics instead of the device, such as `'a' in topics && 'b' in topics`.
    package var condition: String?
    /// Shown instead of text that is made up.
    package var notification: FCMNotification?
    /// Keys and values, sorted by key.
    package var data: [FCMDataEntry] = []
    /// The text of the `apns` object: headers and payload for Apple devices behind FCM.
    package var apns: String?
    /// The text of the `webpush` object.
    package var webpush: String?
    package var analyticsLabel: String?

    package init() {}

    /// Whether the message goes to a topic or condition; FCM allows it half the payload.
    package var isFanOut: Bool { topic != nil || condition != nil }
}

/// The member of FCM's `message` that names a device.
package enum FCMAddress: String, Sendable, Equatable, CaseIterable {
    /// A registration token; deprecated in favour of `fid`, both work.
    case token
    /// A Firebase installation id.
    case fid
}

/// What FCM shows on every platform.
package struct FCMNotification: Sendable, Equatable {
    package var title: String?
    package var body: String?
    /// The URL of a picture.
    package var image: String?

    package init() {}
}

/// One member of FCM's `data`, whose values are strings and nothing else.
package struct FCMDataEntry: Sendable, Equatable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}
