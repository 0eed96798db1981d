/// The types of frame (RFC 9113, section 6).
enum FrameType {
    static let data: UInt8 = 0x0
    static let headers: UInt8 = 0x1
    static let priority: UInt8 = 0x2
    static let resetStream: UInt8 = 0x3
    static let settings: UInt8 = 0x4
    static let pushPromise: UInt8 = 0x5
    static let ping: UInt8 = 0x6
    static let goAway: UInt8 = 0x7
    static let windowUpdate: UInt8 = 0x8
    static let continuation: UInt8 = 0x9
}

/// The flags that frames carry; which mean something depends on the type.
enum FrameFlag {
    static let endStream: UInt8 = 0x01
    static let acknowledgement: UInt8 = 0x01
    static let endHeaders: UInt8 = 0x04
    static let padded: UInt8 = 0x08
    static let priority: UInt8 = 0x20
}

/// The nine bytes in front of every frame (RFC 9113, section 4.1).
struct FrameHeader: BitwiseCopyable {
    /// Bytes of payload that follow.
    var length: Int
    var type: UInt8
    var flags: UInt8
    /// Without the reserved bit.
    var stream: UInt32

    static let size = 9
    static let none = FrameHeader(length: 0, type: 0, flags: 0, stream: 0)

    init(length: Int, type: UInt8, flags: UInt8, stream: UInt32) {
        self.length = length
        self.type = type
        self.flags = flags
        self.stream = stream
    }

    /// Reads the header from nine bytes.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer) {
        let word = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        let last = bytes.load(fromByteOffset: 8, as: UInt8.self)
        length = Int(truncatingIfNeeded: word >> 40)
        type = UInt8(truncatingIfNeeded: word >> 32)
        flags = UInt8(truncatingIfNeeded: word >> 24)
        stream = (UInt32(truncatingIfNeeded: word) << 8 | UInt32(last)) & 0x7fff_ffff
    }

    /// Writes the header into nine bytes.
    @inline(__always)
    func write(to bytes: UnsafeMutableRawPointer) {
        let front = UInt64(length) << 40 | UInt64(type) << 32 | UInt64(flags) << 24 | UInt64(stream >> 8)
        bytes.storeBytes(of: front.bigEndian, as: UInt64.self)
        bytes.storeBytes(of: UInt8(truncatingIfNeeded: stream), toByteOffset: 8, as: UInt8.self)
    }

    @inline(__always)
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
}

/// A broken rule that ends the connection (RFC 9113, section 5.4.1).
struct Violation: Error {
    var code: HTTP2ErrorCode
    var reason: StaticString

    init(_ code: HTTP2ErrorCode, _ reason: StaticString) {
        self.code = code
        self.reason = reason
    }
}
