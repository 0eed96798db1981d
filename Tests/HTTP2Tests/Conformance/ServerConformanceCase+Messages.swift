@testable import HTTP2

// SETTINGS, PING, GOAWAY, WINDOW_UPDATE, header blocks and what requests must look like.
extension ServerConformanceCase {
    static let settings: [ServerConformanceCase] = [
        .init("9113 6.5", "SETTINGS on a stream", .idle, Frame.make(4, stream: 1), .connectionError(.protocolError)),
        .init(
            "9113 6.5",
            "SETTINGS of 5 bytes",
            .idle,
            Frame.make(4, [0, 1, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.5",
            "an acknowledgement with a payload",
            .idle,
            Frame.make(4, flags: 1, [0, 1, 0, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.5.3",
            "an acknowledgement of nothing",
            .idle,
            Frame.settingsAcknowledgement,
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "ENABLE_PUSH 2", .idle, Frame.settings([(2, 2)]), .connectionError(.protocolError)),
        .init(
            "9113 6.5.2",
            "INITIAL_WINDOW_SIZE of 2^31",
            .idle,
            Frame.settings([(4, 0x8000_0000)]),
            .connectionError(.flowControlError)
        ),
        .init(
            "9113 6.5.2",
            "MAX_FRAME_SIZE of 16,383",
            .idle,
            Frame.settings([(5, 16_383)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.5.2",
            "MAX_FRAME_SIZE of 2^24",
            .idle,
            Frame.settings([(5, 1 << 24)]),
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "an unknown setting", .idle, Frame.settings([(0x99, 7)]), .ignored),
        .init(
            "9113 10.5",
            "SETTINGS without end",
            .idle,
            (0..<1001).flatMap { _ in Frame.settings() },
            .connectionError(.enhanceYourCalm)
        ),
    ]

    static let connection: [ServerConformanceCase] = [
        .init(
            "9113 6.7",
            "PING on a stream",
            .idle,
            Frame.make(6, stream: 1, Array(1...8)),
            .connectionError(.protocolError)
        ),
        .init("9113 6.7", "PING of 7 bytes", .idle, Frame.make(6, Array(1...7)), .connectionError(.frameSizeError)),
        .init("9113 6.7", "an answer to no PING", .idle, Frame.ping(acknowledgement: true), .ignored),
        .init(
            "9113 10.5",
            "PING without end",
            .idle,
            (0..<1001).flatMap { _ in Frame.ping() },
            .connectionError(.enhanceYourCalm)
        ),
        .init(
            "9113 6.8",
            "GOAWAY on a stream",
            .idle,
            Frame.make(7, stream: 1, Array(repeating: 0, count: 8)),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.8",
            "GOAWAY of 7 bytes",
            .idle,
            Frame.make(7, Array(repeating: 0, count: 7)),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.8",
            "GOAWAY with a stream of the client's",
            .idle,
            Frame.goAway(last: 1, code: 0),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 10.5",
            "empty DATA without end",
            .open,
            (0..<10_001).flatMap { _ in Frame.data(1, []) },
            .connectionError(.enhanceYourCalm)
        ),
        .init(
            "9113 10.5",
            "PRIORITY without end",
            .idle,
            (0..<10_001).flatMap { _ in Frame.make(2, stream: 1, [0, 0, 0, 0, 1]) },
            .connectionError(.enhanceYourCalm)
        ),
    ]

    static let windows: [ServerConformanceCase] = [
        .init(
            "9113 6.9",
            "WINDOW_UPDATE of 3 bytes",
            .idle,
            Frame.make(8, [0, 0, 1]),
            .connectionError(.frameSizeError)
        ),
        .init("9113 6.9", "WINDOW_UPDATE by 0", .idle, Frame.windowUpdate(0, 0), .connectionError(.protocolError)),
        .init(
            "9113 6.9",
            "WINDOW_UPDATE of a stream by 0",
            .open,
            Frame.windowUpdate(1, 0),
            .streamError(.protocolError)
        ),
        .init(
            "9113 6.9.1",
            "a window above 2^31-1",
            .idle,
            Frame.windowUpdate(0, 0x7fff_ffff),
            .connectionError(.flowControlError)
        ),
        .init(
            "9113 6.9.1",
            "a stream's window above 2^31-1",
            .open,
            Frame.windowUpdate(1, 0x7fff_ffff),
            .streamError(.flowControlError)
        ),
        .init(
            "9113 6.9.2",
            "INITIAL_WINDOW_SIZE lifts a window above 2^31-1",
            .open,
            Frame.windowUpdate(1, 0x7fff_0000) + Frame.settings([(4, 0x7fff_ffff)]),
            .connectionError(.flowControlError)
        ),
    ]

    static let blocks: [ServerConformanceCase] = [
        .init(
            "9113 4.3",
            "a block that can't be decoded",
            .idle,
            Frame.headers(1, [0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], end: true),
            .connectionError(.compressionError)
        ),
        .init(
            "7541 6.1",
            "an index of no entry",
            .idle,
            Frame.headers(1, [0xbe], end: true),
            .connectionError(.compressionError)
        ),
        .init(
            "7541 4.2",
            "a table larger than allowed",
            .idle,
            Frame.headers(1, [0x3f, 0xe2, 0x1f] + header, end: true),
            .connectionError(.compressionError)
        ),
        .init(
            "9113 4.3",
            "a broken block on a closed stream",
            .resetByServer,
            Frame.headers(1, [0xbe], end: true),
            .connectionError(.compressionError)
        ),
    ]

    static let messages: [ServerConformanceCase] = [
        .init("9113 8.1", "a request", .idle, request([]), .request),
        .init("9113 8.1", "trailers", .open, Frame.headers(1, HeaderBlock.literal([("a", "b")]), end: true), .request),
        .init(
            "9113 8.1",
            "trailers that do not end the stream",
            .open,
            Frame.headers(1, HeaderBlock.literal([("a", "b")])),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1",
            "pseudo-header fields in trailers",
            .open,
            Frame.headers(1, HeaderBlock.literal([(":path", "/")]), end: true),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1.1",
            "content-length that fits",
            .idle,
            request([("content-length", "3")], end: false) + Frame.data(1, [1, 2, 3], end: true),
            .request
        ),
        .init(
            "9113 8.1.1",
            "content-length without a body",
            .idle,
            request([("content-length", "3")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1.1",
            "less than content-length",
            .idle,
            request([("content-length", "3")], end: false) + Frame.data(1, [1], end: true),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1.1",
            "more than content-length",
            .idle,
            request([("content-length", "1")], end: false) + Frame.data(1, [1, 2]),
            .streamError(.protocolError)
        ),
        .init(
            "9110 8.6",
            "content-length that is no number",
            .idle,
            request([("content-length", "-1")]),
            .streamError(.protocolError)
        ),
        .init(
            "9110 8.6",
            "content-length twice",
            .idle,
            request([("content-length", "0"), ("content-length", "0")]),
            .streamError(.protocolError)
        ),
        .init("9113 8.2.1", "an upper-case name", .idle, request([("Accept", "a")]), .streamError(.protocolError)),
        .init("9113 8.2.1", "an empty name", .idle, request([("", "a")]), .streamError(.protocolError)),
        .init("9113 8.2.1", "a space in a name", .idle, request([("a b", "a")]), .streamError(.protocolError)),
        .init("9113 8.2.1", "a line feed in a value", .idle, request([("a", "b\nc")]), .streamError(.protocolError)),
        .init("9113 8.2.1", "a space before a value", .idle, request([("a", " b")]), .streamError(.protocolError)),
        .init("9113 8.2.2", "connection", .idle, request([("connection", "close")]), .streamError(.protocolError)),
        .init("9113 8.2.2", "keep-alive", .idle, request([("keep-alive", "1")]), .streamError(.protocolError)),
        .init(
            "9113 8.2.2",
            "proxy-connection",
            .idle,
            request([("proxy-connection", "a")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.2",
            "transfer-encoding",
            .idle,
            request([("transfer-encoding", "chunked")]),
            .streamError(.protocolError)
        ),
        .init("9113 8.2.2", "upgrade", .idle, request([("upgrade", "h2c")]), .streamError(.protocolError)),
        .init("9113 8.2.2", "te: trailers", .idle, request([("te", "trailers")]), .request),
        .init("9113 8.2.2", "te: gzip", .idle, request([("te", "gzip")]), .streamError(.protocolError)),
    ]

    private static func without(_ name: String, adding fields: [(String, String)] = []) -> [UInt8] {
        request(pseudo.filter { $0.0 != name } + fields, instead: true)
    }

    static let targets: [ServerConformanceCase] = [
        .init(
            "9113 8.3",
            "an unknown pseudo-header field",
            .idle,
            request([(":x", "a")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3",
            "a response's pseudo-header field",
            .idle,
            request([(":status", "200")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3",
            "a pseudo-header field behind others",
            .idle,
            without(":path", adding: [("a", "b"), (":path", "/")]),
            .streamError(.protocolError)
        ),
        .init("9113 8.3.1", "no :method", .idle, without(":method"), .streamError(.protocolError)),
        .init("9113 8.3.1", "no :scheme", .idle, without(":scheme"), .streamError(.protocolError)),
        .init("9113 8.3.1", "no :path", .idle, without(":path"), .streamError(.protocolError)),
        .init(
            "9113 8.3.1",
            "an empty :path",
            .idle,
            without(":path", adding: [(":path", "")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3.1",
            "a :path that is not absolute",
            .idle,
            without(":path", adding: [(":path", "p")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3.1",
            "an asterisk without OPTIONS",
            .idle,
            without(":path", adding: [(":path", "*")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3.1",
            "an asterisk in OPTIONS",
            .idle,
            request([(":method", "OPTIONS"), (":scheme", "https"), (":path", "*")], instead: true),
            .request
        ),
        .init("9113 8.3.1", "two :path", .idle, request([(":path", "/q")]), .streamError(.protocolError)),
        .init("9113 8.3.1", "no :authority", .idle, without(":authority"), .request),
        .init(
            "9113 8.3.1",
            "host in place of :authority",
            .idle,
            without(":authority", adding: [("host", "h")]),
            .request
        ),
        .init("9113 8.3.1", "host that agrees with :authority", .idle, request([("host", "h")]), .request),
        .init(
            "9113 8.3.1",
            "host that contradicts :authority",
            .idle,
            request([("host", "i")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.5",
            "CONNECT",
            .idle,
            request([(":method", "CONNECT"), (":authority", "h")], instead: true),
            .request
        ),
        .init(
            "9113 8.5",
            "CONNECT with a path",
            .idle,
            request([(":method", "CONNECT"), (":authority", "h"), (":path", "/")], instead: true),
            .streamError(.protocolError)
        ),
    ]
}
