import Testing

@testable import HTTP2

/// What a client may and may not do, section by section, and how the server session answers.
struct ServerConformanceCase: CustomTestStringConvertible, Sendable {
    /// What has gone before, with SETTINGS exchanged.
    enum Stage: Sendable {
        /// Nothing: not even the preface has come.
        case new
        /// No stream yet.
        case idle
        /// Stream 1 has its header and waits for its body.
        case open
        /// Stream 1 is a complete request without an answer.
        case complete
        /// Stream 1 was answered in full.
        case answered
        /// Stream 1 was reset by the server before its request was complete.
        case resetByServer
        /// Stream 1 was reset by the client.
        case resetByClient
        /// Stream 1 is a complete request, and a GOAWAY has named it as the last.
        case goingAway
    }

    enum Answer: Sendable, Equatable {
        /// A connection error of this code: GOAWAY, and the session ends.
        case connectionError(HTTP2ErrorCode)
        /// A stream error of this code: RST_STREAM, `closed`, and the connection lives.
        case streamError(HTTP2ErrorCode)
        /// The stream is closed with this code without RST_STREAM.
        case closed(HTTP2ErrorCode)
        /// A complete request.
        case request
        /// Nothing: no event, no RST_STREAM, and the connection lives.
        case ignored
    }

    var section: String
    var rule: String
    var stage: Stage
    var bytes: [UInt8]
    var answer: Answer

    var testDescription: String { "RFC \(section): \(rule)" }

    init(_ section: String, _ rule: String, _ stage: Stage, _ bytes: [UInt8], _ answer: Answer) {
        self.section = section
        self.rule = rule
        self.stage = stage
        self.bytes = bytes
        self.answer = answer
    }

    static let pseudo = [(":method", "POST"), (":scheme", "https"), (":path", "/p"), (":authority", "h")]

    /// A request on stream 1 with these fields after, or in place of, the usual ones.
    static func request(_ fields: [(String, String)], instead: Bool = false, end: Bool = true) -> [UInt8] {
        Frame.headers(1, HeaderBlock.literal((instead ? [] : pseudo) + fields), end: end)
    }

    static let header = HeaderBlock.literal(pseudo)
    static let all =
        opening + states + dataAndHeaders + streamFrames + settings + connection + windows + blocks + messages
        + targets
}

extension ServerConformanceCase {
    static let opening: [ServerConformanceCase] = [
        .init("9113 3.4", "no preface", .new, Array("GET / HTTP/1.1\r\n\r\n".utf8), .connectionError(.protocolError)),
        .init(
            "9113 3.4",
            "a preface that goes wrong",
            .new,
            Array(Frame.preface.prefix(20)) + [0, 0, 0, 0],
            .connectionError(.protocolError)
        ),
        .init(
            "9113 3.4",
            "no SETTINGS first",
            .new,
            Frame.preface + Frame.ping(),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 3.4",
            "an acknowledgement in place of SETTINGS",
            .new,
            Frame.preface + Frame.settingsAcknowledgement,
            .connectionError(.protocolError)
        ),
        .init("9113 4.1", "a frame of unknown type", .idle, Frame.make(0x2a, stream: 5, [1, 2, 3]), .ignored),
        .init("9113 4.1", "the reserved bit of a stream", .open, Frame.data(0x8000_0001, [1], end: true), .request),
        .init("9113 4.1", "flags without meaning", .open, Frame.make(0, flags: 0xf7, stream: 1, [1]), .request),
        .init(
            "9113 4.2",
            "a frame above SETTINGS_MAX_FRAME_SIZE",
            .open,
            Frame.make(0, stream: 1, Array(repeating: 0, count: 16_385)),
            .connectionError(.frameSizeError)
        ),
    ]

    static let states: [ServerConformanceCase] = [
        .init("9113 5.1", "DATA on an idle stream", .idle, Frame.data(1, [1]), .connectionError(.protocolError)),
        .init(
            "9113 5.1",
            "RST_STREAM on an idle stream",
            .idle,
            Frame.reset(1, code: 8),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.1",
            "WINDOW_UPDATE on an idle stream",
            .idle,
            Frame.windowUpdate(1, 1),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.1",
            "CONTINUATION on an idle stream",
            .idle,
            Frame.continuation(1, header),
            .connectionError(.protocolError)
        ),
        .init("9113 5.1", "DATA on a half-closed stream", .complete, Frame.data(1, [1]), .streamError(.streamClosed)),
        .init(
            "9113 5.1",
            "HEADERS on a half-closed stream",
            .complete,
            Frame.headers(1, header, end: true),
            .streamError(.streamClosed)
        ),
        .init("9113 5.1", "RST_STREAM on a half-closed stream", .complete, Frame.reset(1, code: 8), .closed(.cancel)),
        .init("9113 5.1", "WINDOW_UPDATE on a half-closed stream", .complete, Frame.windowUpdate(1, 1), .ignored),
        .init("9113 5.1", "DATA on a closed stream", .answered, Frame.data(1, [1]), .connectionError(.streamClosed)),
        .init(
            "9113 5.1",
            "HEADERS on a closed stream",
            .answered,
            Frame.headers(1, header, end: true),
            .connectionError(.streamClosed)
        ),
        .init("9113 5.1", "WINDOW_UPDATE on a closed stream", .answered, Frame.windowUpdate(1, 1), .ignored),
        .init("9113 5.1", "RST_STREAM on a closed stream", .answered, Frame.reset(1, code: 8), .ignored),
        .init("9113 5.1", "DATA after our RST_STREAM", .resetByServer, Frame.data(1, [1], end: true), .ignored),
        .init(
            "9113 5.1",
            "trailers after our RST_STREAM",
            .resetByServer,
            Frame.headers(1, HeaderBlock.literal([("a", "b")]), end: true),
            .ignored
        ),
        .init(
            "9113 5.1",
            "DATA after the client's RST_STREAM",
            .resetByClient,
            Frame.data(1, [1]),
            .connectionError(.streamClosed)
        ),
        .init(
            "9113 5.1.1",
            "HEADERS on an even stream",
            .idle,
            Frame.headers(2, header, end: true),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.1.1",
            "a stream below the last one",
            .idle,
            Frame.headers(5, header, end: true) + Frame.headers(3, header, end: true),
            .connectionError(.streamClosed)
        ),
        .init("9113 6.8", "a new stream after our GOAWAY", .goingAway, Frame.headers(3, header, end: true), .ignored),
        .init(
            "9113 6.8",
            "DATA of a new stream after our GOAWAY",
            .goingAway,
            Frame.headers(3, header) + Frame.data(3, [1], end: true),
            .ignored
        ),
    ]

    static let dataAndHeaders: [ServerConformanceCase] = [
        .init("9113 6.1", "DATA on stream 0", .open, Frame.data(0, [1]), .connectionError(.protocolError)),
        .init("9113 6.1", "padded DATA", .open, Frame.make(0, flags: 9, stream: 1, [2, 65, 0, 0]), .request),
        .init(
            "9113 6.1",
            "padding as long as the payload",
            .open,
            Frame.make(0, flags: 8, stream: 1, [2, 0]),
            .connectionError(.protocolError)
        ),
        .init("9113 6.1", "empty DATA", .open, Frame.data(1, []), .ignored),
        .init("9113 6.1", "empty DATA that ends the stream", .open, Frame.data(1, [], end: true), .request),
        .init("9113 6.2", "HEADERS on stream 0", .idle, Frame.headers(0, header), .connectionError(.protocolError)),
        .init(
            "9113 6.2",
            "padding and priority",
            .idle,
            Frame.make(1, flags: 0x2d, stream: 1, [3, 0, 0, 0, 0, 9] + header + [0, 0, 0]),
            .request
        ),
        .init(
            "9113 6.2",
            "more padding than payload",
            .idle,
            Frame.make(1, flags: 0x0d, stream: 1, [9, 0x82]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.2",
            "too short for its priority",
            .idle,
            Frame.make(1, flags: 0x25, stream: 1, [0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.10",
            "a header in three frames",
            .idle,
            Frame.headers(1, Array(header.prefix(5)), end: true, endHeaders: false)
                + Frame.continuation(1, Array(header.dropFirst(5).prefix(9)), endHeaders: false)
                + Frame.continuation(1, Array(header.dropFirst(14))),
            .request
        ),
        .init(
            "9113 6.10",
            "another frame amid a header",
            .idle,
            Frame.headers(1, header, endHeaders: false) + Frame.ping(),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.10",
            "CONTINUATION of another stream",
            .idle,
            Frame.headers(1, header, endHeaders: false) + Frame.continuation(3, []),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 10.5.1",
            "CONTINUATION without end",
            .idle,
            Frame.headers(1, header, endHeaders: false)
                + (0..<9).flatMap { _ in Frame.continuation(1, [], endHeaders: false) },
            .connectionError(.enhanceYourCalm)
        ),
    ]

    static let streamFrames: [ServerConformanceCase] = [
        .init("9113 6.3", "PRIORITY on an idle stream", .idle, Frame.make(2, stream: 9, [0, 0, 0, 0, 1]), .ignored),
        .init(
            "9113 6.3",
            "PRIORITY on a closed stream",
            .answered,
            Frame.make(2, stream: 1, [0, 0, 0, 0, 1]),
            .ignored
        ),
        .init(
            "9113 6.3",
            "PRIORITY on stream 0",
            .idle,
            Frame.make(2, [0, 0, 0, 0, 1]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.3",
            "PRIORITY of 4 bytes",
            .open,
            Frame.make(2, stream: 1, [0, 0, 0, 0]),
            .streamError(.frameSizeError)
        ),
        .init("9113 6.4", "RST_STREAM of an open stream", .open, Frame.reset(1, code: 8), .closed(.cancel)),
        .init("9113 6.4", "RST_STREAM on stream 0", .idle, Frame.reset(0, code: 8), .connectionError(.protocolError)),
        .init(
            "9113 6.4",
            "RST_STREAM of 3 bytes",
            .open,
            Frame.make(3, stream: 1, [0, 0, 8]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 8.4",
            "PUSH_PROMISE from a client",
            .open,
            Frame.make(5, flags: 4, stream: 1, [0, 0, 0, 2]),
            .connectionError(.protocolError)
        ),
    ]
}
