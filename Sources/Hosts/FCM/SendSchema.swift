/// What `messages:send` takes: the fields of each object and what they hold.
///
/// Source: Firebase, REST resource `projects.messages`. Names are known in both of protobuf's JSON spellings.
enum SendSchema {
    /// An object of the schema.
    enum Shape: Sendable {
        case request
        case message
        case notification
        case options
        case android
        case androidNotification
        case lightSettings
        case color
        case webpush
        case webpushOptions
        case apns
        case apnsOptions

        var fields: [Field] {
            switch self {
            case .request: SendSchema.request
            case .message: SendSchema.message
            case .notification: SendSchema.notification
            case .options: SendSchema.options
            case .android: SendSchema.android
            case .androidNotification: SendSchema.androidNotification
            case .lightSettings: SendSchema.lightSettings
            case .color: SendSchema.color
            case .webpush: SendSchema.webpush
            case .webpushOptions: SendSchema.webpushOptions
            case .apns: SendSchema.apns
            case .apnsOptions: SendSchema.apnsOptions
            }
        }
    }

    /// What a field holds.
    enum Kind: Sendable {
        case text
        case flag
        case integer
        case real
        /// Seconds as text: `"3.5s"`.
        case duration
        case timestamp
        /// One of a few words, or its number.
        case word(Words)
        case texts
        case durations
        /// An object with text values.
        case textMap
        /// Any object.
        case structure
        case object(Shape)
    }

    /// The words of an enumeration.
    ///
    /// Case does not matter: the Admin SDKs send `high`.
    enum Words: Sendable {
        case messagePriority
        case notificationPriority
        case visibility
        case proxy
    }

    /// Fields that the host looks into beyond their type.
    enum Role: Sendable {
        case none
        case validateOnly
        case message
        case token
        case fid
        case topic
        case condition
        case data
        case lifetime
        /// What makes a message collapsible.
        case collapsing
        /// Options for another push service.
        case thirdParty
        /// Text that the device gets, so that it counts towards the payload's limit.
        case payload
    }

    struct Field: Sendable {
        var snake: StaticString
        var camel: StaticString
        var kind: Kind
        var role: Role

        init(_ name: StaticString, camel: StaticString? = nil, _ kind: Kind, _ role: Role = .none) {
            snake = name
            self.camel = camel ?? name
            self.kind = kind
            self.role = role
        }

        func isNamed(_ name: UnsafeRawBufferPointer) -> Bool { name.equals(snake) || name.equals(camel) }
    }
}
