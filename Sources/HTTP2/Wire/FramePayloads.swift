// What is in the payloads of frames that client and server take alike.

extension FramePart {
    /// RST_STREAM's error code (RFC 9113, section 6.4).
    var errorCode: HTTP2ErrorCode {
        get throws(Violation) {
            if payload.count != 4 { throw Violation(.frameSizeError, "RST_STREAM of impossible length") }
            return HTTP2ErrorCode(rawValue: payload.bigEndianUnsigned(at: 0))
        }
    }

    /// WINDOW_UPDATE's increment, which may be a wrong 0 (RFC 9113, section 6.9).
    var windowIncrement: UInt32 {
        get throws(Violation) {
            if payload.count != 4 { throw Violation(.frameSizeError, "WINDOW_UPDATE of impossible length") }
            return payload.bigEndianUnsigned(at: 0) & 0x7fff_ffff
        }
    }
}

/// The values of a SETTINGS frame whose length has been checked, in their order (RFC 9113, section 6.5.1).
struct SettingsEntries: Sequence, IteratorProtocol {
    private let payload: UnsafeRawBufferPointer
    private var offset = 0

    init(_ payload: UnsafeRawBufferPointer) {
        self.payload = payload
    }

    mutating func next() -> (setting: UInt16, value: UInt32)? {
        guard offset < payload.count else { return nil }
        defer { offset += 6 }
        return (UInt16(payload[offset]) << 8 | UInt16(payload[offset + 1]), payload.bigEndianUnsigned(at: offset + 2))
    }
}
