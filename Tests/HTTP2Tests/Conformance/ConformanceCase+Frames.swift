@testable import HTTP2

// DATA, HEADERS, PRIORITY, RST_STREAM and PUSH_PROMISE.
extension ConformanceCase {
    static let data: [ConformanceCase] = [
        .init("9113 6.1", "DATA on stream 0", .open, Frame.data(0, [1]), .connectionError(.protocolError)),
        .init(
            "9113 6.1",
            "padded DATA",
            .answered,
            Frame.make(0, flags: 8, stream: 1, padded(3, Array("abc".utf8))),
            .body("abc")
        ),
        .init(
            "9113 6.1",
            "padding as long as the payload",
            .answered,
            Frame.make(0, flags: 8, stream: 1, [3, 0, 0]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.1",
            "padded DATA of length 0",
            .answered,
            Frame.make(0, flags: 8, stream: 1),
            .connectionError(.frameSizeError),
            nghttp2: .connectionError(.protocolError)
        ),
        .init(
            "9113 6.1",
            "DATA of nothing but padding",
            .answered,
            Frame.make(0, flags: 8, stream: 1, padded(5, [])),
            .ignored
        ),
        .init("9113 6.1", "empty DATA", .answered, Frame.data(1, []), .ignored),
        .init("9113 6.1", "empty DATA with END_STREAM", .answered, Frame.data(1, [], end: true), .closed(.noError)),
    ]

    static let headers: [ConformanceCase] = [
        .init(
            "9113 6.2",
            "HEADERS on stream 0",
            .open,
            Frame.headers(0, Frame.status200),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.2",
            "HEADERS on stream 0 that go on",
            .open,
            Frame.headers(0, Frame.status200, endHeaders: false) + Frame.continuation(0, []),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.2",
            "padded HEADERS",
            .open,
            Frame.make(1, flags: 0x0d, stream: 1, padded(4, Frame.status200)),
            .response(200)
        ),
        .init(
            "9113 6.2",
            "HEADERS with priority",
            .open,
            Frame.make(1, flags: 0x25, stream: 1, [0, 0, 0, 0, 9] + Frame.status200),
            .response(200)
        ),
        .init(
            "9113 6.2",
            "HEADERS with padding and priority",
            .open,
            Frame.make(1, flags: 0x2d, stream: 1, [2, 0, 0, 0, 0, 9] + Frame.status200 + [0, 0]),
            .response(200)
        ),
        .init(
            "9113 6.2",
            "more padding than payload",
            .open,
            Frame.make(1, flags: 0x0d, stream: 1, [2, 0x88]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.2",
            "too short for its priority",
            .open,
            Frame.make(1, flags: 0x25, stream: 1, [0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.10",
            "a block in three frames",
            .open,
            Frame.headers(1, [0x88, 0x00], end: true, endHeaders: false)
                + Frame.continuation(1, [1, 0x61], endHeaders: false) + Frame.continuation(1, [1, 0x62]),
            .response(200)
        ),
        .init(
            "9113 6.10",
            "a block interrupted by PING",
            .open,
            Frame.headers(1, [0x88], endHeaders: false) + Frame.ping(),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.10",
            "a block interrupted by an unknown frame",
            .open,
            Frame.headers(1, [0x88], endHeaders: false) + Frame.make(0xfa),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.10",
            "a block interrupted by HEADERS",
            .open,
            Frame.headers(1, [0x88], endHeaders: false) + Frame.headers(1, []),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.10",
            "a block that goes on on another stream",
            .open,
            Frame.headers(1, [0x88], endHeaders: false) + Frame.continuation(3, []),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.10",
            "CONTINUATION without HEADERS",
            .open,
            Frame.continuation(1, Frame.status200),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.10",
            "CONTINUATION after END_HEADERS",
            .answered,
            Frame.continuation(1, []),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 10.5",
            "a flood of CONTINUATION",
            .open,
            Frame.headers(1, [0x88], endHeaders: false)
                + (0..<9).flatMap { _ in Frame.continuation(1, [], endHeaders: false) },
            .connectionError(.enhanceYourCalm),
            nghttp2: .failure(-905)
        ),
    ]

    static let otherFrames: [ConformanceCase] = [
        .init(
            "9113 6.3",
            "PRIORITY on stream 0",
            .open,
            Frame.make(2, [0, 0, 0, 0, 1]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.3",
            "PRIORITY of 4 bytes",
            .open,
            Frame.make(2, stream: 1, [0, 0, 0, 0]),
            .streamError(.frameSizeError),
            nghttp2: .connectionError(.frameSizeError)
        ),
        .init("9113 6.3", "PRIORITY", .open, Frame.make(2, stream: 1, [0, 0, 0, 0, 1]), .ignored),
        .init("9113 6.4", "RST_STREAM on stream 0", .open, Frame.reset(0, code: 8), .connectionError(.protocolError)),
        .init(
            "9113 6.4",
            "RST_STREAM of 3 bytes",
            .open,
            Frame.make(3, stream: 1, [0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.4",
            "RST_STREAM of 5 bytes",
            .open,
            Frame.make(3, stream: 1, [0, 0, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init("9113 6.4", "RST_STREAM before the response", .open, Frame.reset(1, code: 7), .closed(.refusedStream)),
        .init(
            "9113 6.4",
            "RST_STREAM within the response",
            .answered,
            Frame.reset(1, code: 2),
            .closed(.internalError)
        ),
        .init("9113 6.4", "RST_STREAM before our body is out", .held, Frame.reset(1, code: 8), .closed(.cancel)),
        .init(
            "9113 7",
            "RST_STREAM with an unknown code",
            .open,
            Frame.reset(1, code: 0xabcd),
            .closed(HTTP2ErrorCode(rawValue: 0xabcd))
        ),
        .init(
            "9113 6.6",
            "PUSH_PROMISE although push is off",
            .open,
            Frame.make(5, flags: 4, stream: 1, [0, 0, 0, 2] + Frame.status200),
            .connectionError(.protocolError)
        ),
    ]
}
