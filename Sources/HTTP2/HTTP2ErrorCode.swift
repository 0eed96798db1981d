/// The reason carried by RST_STREAM and GOAWAY frames; unknown codes survive as they came.
///
/// Source: RFC 9113, section 7.
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The connection or stream ended as it should.
    package static let noError = Self(rawValue: 0x0)
    /// A rule of the protocol was broken and no other code says more.
    package static let protocolError = Self(rawValue: 0x1)
    /// The endpoint failed by its own fault.
    package static let internalError = Self(rawValue: 0x2)
    /// More bytes were sent than the window allowed, or a window grew beyond 2^31-1.
    package static let flowControlError = Self(rawValue: 0x3)
    /// A SETTINGS frame was not acknowledged in time.
    package static let settingsTimeout = Self(rawValue: 0x4)
    /// A frame came for a stream that was half closed.
    package static let streamClosed = Self(rawValue: 0x5)
    /// A frame had an impossible length.
    package static let frameSizeError = Self(rawValue: 0x6)
    /// The stream was not processed at all: the request may be sent again.
    package static let refusedStream = Self(rawValue: 0x7)
    /// The stream is no longer wanted.
    package static let cancel = Self(rawValue: 0x8)
    /// The header compression state is broken.
    package static let compressionError = Self(rawValue: 0x9)
    /// The connection behind a CONNECT failed.
    package static let connectError = Self(rawValue: 0xa)
    /// The peer finds our behaviour excessive.
    package static let enhanceYourCalm = Self(rawValue: 0xb)
    /// The transport is not secure enough.
    package static let inadequateSecurity = Self(rawValue: 0xc)
    /// The peer wants HTTP/1.1.
    package static let http11Required = Self(rawValue: 0xd)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The name in the RFC, or the number of an unknown code.
    package var description: String {
        Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "error code \(rawValue)"
    }
}
