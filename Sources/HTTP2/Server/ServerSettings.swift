/// What a server session announces and how much it keeps.
package struct ServerSettings: Hashable, Sendable {
    /// What the first SETTINGS frame says.
    package var announced = SettingsChange(streamLimit: 1000)
    /// Which parts of requests are kept.
    package var capture: HeaderCapture = .named([])
    /// How many streams the session holds at one time, whatever it announces; more are refused.
    package var maximumStreams = 4096
    /// Header lists larger than this are cut (RFC 9113, section 6.5.2, counts 32 bytes more for each field).
    package var maximumHeader = 32 << 10
    /// Bodies longer than this are cut.
    package var maximumBody = 8 << 10
    /// How many bytes of all bodies may be on their way to us; never below 65,535.
    package var connectionWindow: Int32 = 1 << 24
    /// When bodies that came give their room back to the client.
    package var windowUpdates = WindowUpdatePolicy.whenHalfUsed

    package init(capture: HeaderCapture = .named([])) {
        self.capture = capture
    }
}

/// When a WINDOW_UPDATE answers DATA, on a stream and on the connection (RFC 9113, section 6.9).
package enum WindowUpdatePolicy: Hashable, Sendable, BitwiseCopyable {
    /// Half of the window is used up: seldom, and soon enough never to hold up a client.
    case whenHalfUsed
    /// With every DATA frame.
    case atOnce
    /// Never: a client stops when the window is used up.
    case never
}

/// Values for a SETTINGS frame; those that are nil are not in it (RFC 9113, section 6.5.2).
package struct SettingsChange: Hashable, Sendable {
    package var headerTableSize: UInt32?
    package var streamLimit: UInt32?
    package var initialWindowSize: UInt32?
    package var maximumFrameSize: UInt32?
    package var maximumHeaderListSize: UInt32?

    package init(
        headerTableSize: UInt32? = nil,
        streamLimit: UInt32? = nil,
        initialWindowSize: UInt32? = nil,
        maximumFrameSize: UInt32? = nil,
        maximumHeaderListSize: UInt32? = nil
    ) {
        self.headerTableSize = headerTableSize
        self.streamLimit = streamLimit
        self.initialWindowSize = initialWindowSize
        self.maximumFrameSize = maximumFrameSize
        self.maximumHeaderListSize = maximumHeaderListSize
    }

    /// The values for a frame, in the RFC's order.
    var entries: [(setting: UInt16, value: UInt32)] {
        let values = [
            (SettingID.headerTableSize, headerTableSize), (SettingID.maximumConcurrentStreams, streamLimit),
            (SettingID.initialWindowSize, initialWindowSize), (SettingID.maximumFrameSize, maximumFrameSize),
            (SettingID.maximumHeaderListSize, maximumHeaderListSize),
        ]
        return values.compactMap { setting, value in value.map { (setting, $0) } }
    }
}
