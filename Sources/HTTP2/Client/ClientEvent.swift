/// Something that happened on a client session; a trivial value, cheap to copy.
///
/// Which fields mean something depends on `kind`; the others are zero.
package struct ClientEvent: BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// The request in `slot` got a stream and its HEADERS frame was serialised.
        case written
        /// The final response's header: `status`, and `bytes` with the value of `retry-after` (empty without one, or
        /// with one that is longer than any valid date). `endStream`: no body follows. Interim (1xx) responses and
        /// trailers make no event.
        case headers
        /// A piece of the response's body: `bytes`, never empty.
        case data
        /// The request in `slot` is over and the slot is free: `code` is `noError` for a complete response,
        /// `refusedStream` for one the host has not processed, otherwise the reset's code. A stream that was never
        /// answered has had no `.headers`.
        case closed
        /// The peer's SETTINGS arrived: `number` is the stream limit now.
        case settings
        /// The peer said GOAWAY: `number` is the last stream it may process, `code` its reason, `bytes` its debug
        /// data. Requests above the last stream, and those still waiting, are closed with `refusedStream` next.
        case goAway
        /// An answer to `ping()`.
        case pong
    }

    package var kind: Kind
    package var endStream: Bool
    package var status: UInt16
    package var slot: UInt32
    package var code: HTTP2ErrorCode
    package var number: UInt32
    /// Valid until the next call of `receive`; body bytes lie in the buffer that was handed to it.
    package var bytes: UnsafeRawBufferPointer

    init(
        _ kind: Kind,
        slot: UInt32 = 0,
        status: UInt16 = 0,
        endStream: Bool = false,
        code: HTTP2ErrorCode = .noError,
        number: UInt32 = 0,
        bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) {
        self.kind = kind
        self.endStream = endStream
        self.status = status
        self.slot = slot
        self.code = code
        self.number = number
        self.bytes = bytes
    }
}
