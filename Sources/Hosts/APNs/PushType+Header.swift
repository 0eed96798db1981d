import Push

extension PushType {
    /// The push type that an `apns-push-type` header names; nil for any other bytes.
    ///
    /// Spelled out, commonest first, because comparing with a constant costs nothing and making a `String` does.
    init?(header bytes: UnsafeRawBufferPointer) {
        if bytes.equals("alert") {
            self = .alert
        } else if bytes.equals("background") {
            self = .background
        } else if bytes.equals("voip") {
            self = .voip
        } else if bytes.equals("liveactivity") {
            self = .liveactivity
        } else {
            self.init(rareHeader: bytes)
        }
    }

    private init?(rareHeader bytes: UnsafeRawBufferPointer) {
        if bytes.equals("location") {
            self = .location
        } else if bytes.equals("complication") {
            self = .complication
        } else if bytes.equals("fileprovider") {
            self = .fileprovider
        } else if bytes.equals("mdm") {
            self = .mdm
        } else if bytes.equals("pushtotalk") {
            self = .pushtotalk
        } else if bytes.equals("widgets") {
            self = .widgets
        } else if bytes.equals("controls") {
            self = .controls
        } else {
            return nil
        }
    }

    /// The suffix as constant bytes: the same text as `topicSuffix`.
    var suffixBytes: StaticString {
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

    /// Whether `apns-priority` may have this value: the same as `allowedPriorities`, without an array.
    func allows(priority: Int64) -> Bool {
        switch self {
        case .background: priority == 5
        case .liveactivity: priority == 5 || priority == 10
        case .alert, .location, .voip, .complication, .fileprovider, .mdm, .pushtotalk, .widgets, .controls:
            priority == 1 || priority == 5 || priority == 10
        }
    }
}
