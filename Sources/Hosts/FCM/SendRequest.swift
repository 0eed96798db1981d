/// What a host needs to know of a valid `messages:send` body.
struct SendRequest {
    enum Target: Equatable {
        case token
        case fid
        case topic
        case condition
    }

    /// Where the message goes; nil if it does not say.
    var target: Target?
    /// Where the target's name lies in the body.
    var name = JSONReader.Text(bytes: 0..<0, isEscaped: false)
    var hasMessage = false
    var validateOnly = false
    /// Whether a later message may take its place: all with a notification, and all with a collapse key.
    var isCollapsible = false
    /// Whether part of it is for APNs or web push, for which the project needs a credential of its own.
    var needsThirdParty = false
    /// The bytes that count towards the payload's limit: keys and values of `data`, texts of the notification.
    var payloadSize = 0
}
