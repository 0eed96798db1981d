/// One stream of a server session; stays distinct for as long as the session lives.
package struct StreamHandle: Hashable, Sendable, BitwiseCopyable {
    /// Where the session keeps the stream.
    let index: UInt32
    /// The identifier on the wire.
    package let stream: Int32

    static let none = StreamHandle(index: 0, stream: 0)
}

/// Something that happened on a server session; a trivial value.
///
/// Which fields mean something depends on `kind`; the others are zero.
package struct ServerEvent: BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// A request is complete: take `ServerSession.request(stream)`, answer with `respond`, now or later.
        case request
        /// The stream is over, and its request no longer readable: `code` is `noError` when the answer went out whole.
        case closed
        /// The client acknowledged the oldest SETTINGS that it had not yet: `number` is the stream limit it knows now.
        case settingsAcknowledged
        /// The client sent a PING; the answer is already on its way.
        case ping
        /// The client said GOAWAY: `code` is its reason, `bytes` its debug data (valid until the next `receive`).
        case goAway
        /// The client answered a PING of ours: it has read what we sent before that.
        case pong
    }

    package var kind: Kind
    package var stream: StreamHandle
    package var code: HTTP2ErrorCode
    package var number: UInt32
    package var bytes: UnsafeRawBufferPointer

    init(
        _ kind: Kind,
        stream: StreamHandle = .none,
        code: HTTP2ErrorCode = .noError,
        number: UInt32 = 0,
        bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) {
        self.kind = kind
        self.stream = stream
        self.code = code
        self.number = number
        self.bytes = bytes
    }
}
