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

    package init(capture: HeaderCapture = .named([])) {
        self.capture = capture
    }
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
}
