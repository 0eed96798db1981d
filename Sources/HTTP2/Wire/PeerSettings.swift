/// The parameters of SETTINGS frames (RFC 9113, section 6.5.2; RFC 8441, section 3; RFC 9218, section 2.1).
enum SettingID {
    static let headerTableSize: UInt16 = 0x1
    static let enablePush: UInt16 = 0x2
    static let maximumConcurrentStreams: UInt16 = 0x3
    static let initialWindowSize: UInt16 = 0x4
    static let maximumFrameSize: UInt16 = 0x5
    static let maximumHeaderListSize: UInt16 = 0x6
    static let enableConnectProtocol: UInt16 = 0x8
    static let noPriorities: UInt16 = 0x9
}

/// What the peer has announced; a value that breaks a rule is a violation.
struct PeerSettings: BitwiseCopyable {
    /// The peer's first SETTINGS frame has come.
    private(set) var isKnown = false
    private(set) var headerTableSize: UInt32 = 4096
    /// nil means no limit.
    private(set) var streamLimit: UInt32?
    private(set) var initialWindow: Int32 = 65_535
    private(set) var maximumFrameSize = 16_384
    private var connectProtocol: UInt32 = 0
    private var noPriorities: UInt32?
    let peerIsServer: Bool

    /// An entry that its receiver must act on.
    enum Change {
        case none
        /// The encoder's table may have no more bytes than this.
        case headerTableSize(UInt32)
        /// Every open stream's send window changes by this.
        case windows(by: Int64)
    }

    init(peerIsServer: Bool) {
        self.peerIsServer = peerIsServer
    }

    /// Notes that a SETTINGS frame has been applied to its end.
    mutating func finishFrame() {
        isKnown = true
        if noPriorities == nil { noPriorities = 0 }
    }

    /// Applies one entry; unknown ones are ignored.
    mutating func apply(_ setting: UInt16, _ value: UInt32) throws(Violation) -> Change {
        switch setting {
        case SettingID.headerTableSize:
            headerTableSize = value
            return .headerTableSize(value)
        case SettingID.enablePush: try checkPush(value)
        case SettingID.maximumConcurrentStreams: streamLimit = value
        case SettingID.initialWindowSize:
            guard value <= UInt32(Int32.max) else {
                throw Violation(.flowControlError, "SETTINGS_INITIAL_WINDOW_SIZE above 2^31-1")
            }
            defer { initialWindow = Int32(value) }
            return .windows(by: Int64(value) - Int64(initialWindow))
        case SettingID.maximumFrameSize:
            guard (16_384...16_777_215).contains(value) else {
                throw Violation(.protocolError, "SETTINGS_MAX_FRAME_SIZE out of its range")
            }
            maximumFrameSize = Int(value)
        case SettingID.enableConnectProtocol: try applyConnectProtocol(value)
        case SettingID.noPriorities: try applyNoPriorities(value)
        default: break
        }
        return .none
    }

    private func checkPush(_ value: UInt32) throws(Violation) {
        if value > 1 { throw Violation(.protocolError, "SETTINGS_ENABLE_PUSH neither 0 nor 1") }
        if peerIsServer && value == 1 { throw Violation(.protocolError, "SETTINGS_ENABLE_PUSH set by a server") }
    }

    private mutating func applyConnectProtocol(_ value: UInt32) throws(Violation) {
        if value > 1 || value < connectProtocol {
            throw Violation(.protocolError, "SETTINGS_ENABLE_CONNECT_PROTOCOL neither 0 nor 1, or taken back")
        }
        connectProtocol = value
    }

    private mutating func applyNoPriorities(_ value: UInt32) throws(Violation) {
        if value > 1 || value != noPriorities ?? value {
            throw Violation(.protocolError, "SETTINGS_NO_RFC7540_PRIORITIES neither 0 nor 1, or changed")
        }
        noPriorities = value
    }
}
