@testable import HTTP2

// Frames and header compression.
extension ConformanceCase {
    static let framing: [ConformanceCase] = [
        .init("9113 3.4", "first frame is PING", .new, Frame.ping(), .connectionError(.protocolError)),
        .init(
            "9113 3.4",
            "first frame acknowledges SETTINGS",
            .new,
            Frame.settingsAcknowledgement,
            .connectionError(.protocolError)
        ),
        .init(
            "9113 3.4",
            "HTTP/1.1 instead of frames",
            .new,
            Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
            .connectionError(.frameSizeError),
            nghttp2: .connectionError(.protocolError)
        ),
        .init(
            "9113 4.1",
            "frame of unknown type",
            .open,
            Frame.make(0xfa, flags: 0xff, stream: 1, [1, 2, 3]),
            .ignored
        ),
        .init(
            "9113 4.1",
            "unknown flags",
            .open,
            Frame.make(1, flags: 0xd5 & ~0x28, stream: 1, Frame.status200),
            .response(200)
        ),
        .init(
            "9113 4.1",
            "reserved bit of the stream",
            .open,
            Frame.make(1, flags: 5, stream: 0x8000_0001, Frame.status200),
            .response(200)
        ),
        .init(
            "9113 4.2",
            "DATA longer than SETTINGS_MAX_FRAME_SIZE",
            .answered,
            Frame.data(1, Array(repeating: 0, count: 16385)),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 4.2",
            "unknown frame longer than SETTINGS_MAX_FRAME_SIZE",
            .open,
            Frame.make(0xfa, Array(repeating: 0, count: 16385)),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 4.3",
            "header block that can't be decoded",
            .open,
            Frame.headers(1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], end: true),
            .connectionError(.compressionError)
        ),
        .init(
            "7541 2.3.3",
            "index beyond the tables",
            .open,
            Frame.headers(1, [0xbe], end: true),
            .connectionError(.compressionError)
        ),
        .init(
            "7541 5.2",
            "string longer than its block",
            .open,
            Frame.headers(1, [0x88, 0x00, 0x05, 0x61], end: true),
            .connectionError(.compressionError)
        ),
        .init("7541 6.1", "index 0", .open, Frame.headers(1, [0x80], end: true), .connectionError(.compressionError)),
        .init(
            "7541 6.3",
            "table size update above the limit",
            .open,
            Frame.headers(1, [0x3f, 0xe2, 0x1f, 0x88], end: true),
            .connectionError(.compressionError)
        ),
        .init(
            "7541 4.2",
            "table size update after a field",
            .open,
            Frame.headers(1, [0x88, 0x20], end: true),
            .connectionError(.compressionError)
        ),
        .init("7541 4.2", "table size update first", .open, Frame.headers(1, [0x20, 0x88], end: true), .response(200)),
        .init(
            "7541 5.2",
            "Huffman padding longer than 7 bits",
            .open,
            Frame.headers(1, [0x88, 0x00, 0x82, 0x1f, 0xff, 0x00], end: true),
            .connectionError(.compressionError)
        ),
    ]
}
