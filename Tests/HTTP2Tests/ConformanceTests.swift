import Testing

@testable import HTTP2

/// What a server may and may not do, section by section, and how a client answers.
///
/// Where nghttp2 answers otherwise (`nghttp2:`), it makes a connection error of what the RFC wants as a stream error,
/// which section 5.4.1 allows, or is more patient.
struct ConformanceCase: CustomTestStringConvertible, Sendable {
    enum Answer: Sendable, Equatable {
        /// A connection error of this code: GOAWAY, and the session ends.
        case connectionError(HTTP2ErrorCode)
        /// A stream error of this code on stream 1: RST_STREAM, the request is closed, the connection lives.
        case streamError(HTTP2ErrorCode)
        /// The request is closed with this code, without RST_STREAM.
        case closed(HTTP2ErrorCode)
        /// nghttp2's own failure.
        case failure(Int32)
        /// Nothing: no event, no RST_STREAM, and the connection lives.
        case ignored
        /// The response's final header and its end.
        case response(UInt16)
        /// A piece of body.
        case body(String)
    }

    var section: String
    var rule: String
    var stage: ClientBench.Stage
    var bytes: [UInt8]
    var answer: Answer
    var nghttp2: Answer?

    var testDescription: String { "RFC \(section): \(rule)" }

    init(
        _ section: String,
        _ rule: String,
        _ stage: ClientBench.Stage,
        _ bytes: [UInt8],
        _ answer: Answer,
        nghttp2: Answer? = nil
    ) {
        self.section = section
        self.rule = rule
        self.stage = stage
        self.bytes = bytes
        self.answer = answer
        self.nghttp2 = nghttp2
    }
}

@Suite struct ConformanceTests {
    @Test(arguments: SessionKind.allCases, ConformanceCase.all)
    func theServersFrame(kind: SessionKind, item: ConformanceCase) throws {
        let bench = try ClientBench(kind, item.stage)
        bench.send(item.bytes)
        switch kind == .nghttp2 ? item.nghttp2 ?? item.answer : item.answer {
        case .connectionError(let code):
            #expect(bench.violation == code)
            let goAways = bench.frames.filter { $0.type == FrameType.goAway }
            #expect(goAways.map { Array($0.payload[4..<8]) } == [Frame.bigEndian(code.rawValue)])
        case .failure(let code):
            #expect(bench.failure == .library(call: "nghttp2_session_mem_recv", code: code))
        case .streamError(let code):
            #expect(bench.resets == [code])
            #expect(bench.events.filter { $0.kind == .closed }.map(\.code) == [code])
            #expect(bench.isAlive())
        case .closed(let code):
            #expect(bench.events.map(\.kind) == [.closed])
            #expect(bench.events.last?.code == code)
            #expect(bench.resets.isEmpty)
            #expect(bench.isAlive())
        case .ignored:
            #expect(bench.events.filter { $0.kind != .settings }.isEmpty)
            #expect(bench.resets.isEmpty)
            #expect(bench.isAlive())
        case .response(let status):
            #expect(bench.events.map(\.kind) == [.headers, .closed])
            #expect(bench.events.first?.status == status)
            #expect(bench.events.last?.code == .noError)
            #expect(bench.isAlive())
        case .body(let text):
            #expect(bench.events.first?.kind == .data)
            #expect(bench.events.first.map { String(decoding: $0.bytes, as: UTF8.self) } == text)
            #expect(bench.isAlive())
        }
    }
}

extension ConformanceCase {
    private static func response(_ fields: [(String, String)]) -> [UInt8] {
        Frame.headers(1, HeaderBlock.literal(fields), end: true)
    }

    private static func padded(_ padding: Int, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(padding)] + payload + Array(repeating: 0, count: padding)
    }

    static let all = framing + streams + data + headers + otherFrames + settings + connection + windows + messages

    private static let framing: [ConformanceCase] = [
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

    private static let streams: [ConformanceCase] = [
        .init("9113 5.1", "DATA on an idle stream", .open, Frame.data(3, [1]), .connectionError(.protocolError)),
        .init(
            "9113 5.1",
            "HEADERS on an idle stream",
            .open,
            Frame.headers(3, Frame.status200),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.1",
            "RST_STREAM on an idle stream",
            .open,
            Frame.reset(3, code: 8),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.1",
            "WINDOW_UPDATE on an idle stream",
            .open,
            Frame.windowUpdate(3, 1),
            .connectionError(.protocolError)
        ),
        .init("9113 5.1", "PRIORITY on an idle stream", .open, Frame.make(2, stream: 3, [0, 0, 0, 0, 1]), .ignored),
        .init(
            "9113 5.1",
            "DATA half closed by the server",
            .halfClosed,
            Frame.data(1, [1]),
            .streamError(.streamClosed),
            nghttp2: .connectionError(.streamClosed)
        ),
        .init(
            "9113 5.1",
            "HEADERS half closed by the server",
            .halfClosed,
            Frame.headers(1, Frame.status200),
            .streamError(.streamClosed),
            nghttp2: .connectionError(.streamClosed)
        ),
        .init(
            "9113 5.1",
            "WINDOW_UPDATE half closed by the server",
            .halfClosed,
            Frame.windowUpdate(1, 4),
            .closed(.noError)
        ),
        .init(
            "9113 5.1",
            "RST_STREAM half closed by the server",
            .halfClosed,
            Frame.reset(1, code: 0),
            .closed(.noError)
        ),
        .init(
            "9113 5.1",
            "PRIORITY half closed by the server",
            .halfClosed,
            Frame.make(2, stream: 1, [0, 0, 0, 0, 1]),
            .ignored
        ),
        .init("9113 5.1", "DATA on a closed stream", .closed, Frame.data(1, [1]), .ignored),
        .init("9113 5.1", "HEADERS on a closed stream", .closed, Frame.headers(1, Frame.status200), .ignored),
        .init("9113 5.1", "RST_STREAM on a closed stream", .closed, Frame.reset(1, code: 8), .ignored),
        .init("9113 5.1", "WINDOW_UPDATE on a closed stream", .closed, Frame.windowUpdate(1, 1), .ignored),
        .init("9113 5.1", "DATA on a stream that we reset", .reset, Frame.data(1, [1]), .ignored),
        .init("9113 5.1", "HEADERS on a stream that we reset", .reset, Frame.headers(1, Frame.status200), .ignored),
        .init("9113 5.1", "RST_STREAM on a stream that we reset", .reset, Frame.reset(1, code: 8), .ignored),
        .init(
            "9113 5.1.1",
            "HEADERS on a stream of the server's",
            .open,
            Frame.headers(2, Frame.status200),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.1.1",
            "DATA on a stream of the server's",
            .open,
            Frame.data(2, [1]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.1.1",
            "RST_STREAM on a stream of the server's",
            .open,
            Frame.reset(2, code: 8),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 5.3.1",
            "a stream that depends on itself",
            .open,
            Frame.make(2, stream: 1, [0, 0, 0, 1, 1]),
            .ignored,
            nghttp2: .connectionError(.protocolError)
        ),
        .init(
            "9113 8.1",
            "RST_STREAM NO_ERROR after the whole response",
            .halfClosed,
            Frame.reset(1, code: 0),
            .closed(.noError)
        ),
    ]

    private static let data: [ConformanceCase] = [
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

    private static let headers: [ConformanceCase] = [
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

    private static let otherFrames: [ConformanceCase] = [
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

    private static let settings: [ConformanceCase] = [
        .init("9113 6.5", "SETTINGS on a stream", .open, Frame.make(4, stream: 1), .connectionError(.protocolError)),
        .init(
            "9113 6.5",
            "SETTINGS of 5 bytes",
            .open,
            Frame.make(4, [0, 1, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.5",
            "acknowledgement with a payload",
            .open,
            Frame.make(4, flags: 1, [0, 1, 0, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.5.3",
            "acknowledgement of nothing",
            .open,
            Frame.settingsAcknowledgement,
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "unknown setting", .open, Frame.settings([(0xff00, 7)]), .ignored),
        .init(
            "9113 6.5.2",
            "SETTINGS_ENABLE_PUSH 2",
            .open,
            Frame.settings([(2, 2)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_ENABLE_PUSH 1 from a server",
            .open,
            Frame.settings([(2, 1)]),
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "SETTINGS_ENABLE_PUSH 0", .open, Frame.settings([(2, 0)]), .ignored),
        .init(
            "9113 6.5.2",
            "SETTINGS_INITIAL_WINDOW_SIZE 2^31",
            .open,
            Frame.settings([(4, 1 << 31)]),
            .connectionError(.flowControlError)
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_INITIAL_WINDOW_SIZE 2^31-1",
            .open,
            Frame.settings([(4, UInt32(Int32.max))]),
            .ignored
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_MAX_FRAME_SIZE 16383",
            .open,
            Frame.settings([(5, 16383)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.5.2",
            "SETTINGS_MAX_FRAME_SIZE 2^24",
            .open,
            Frame.settings([(5, 1 << 24)]),
            .connectionError(.protocolError)
        ),
        .init("9113 6.5.2", "SETTINGS_MAX_FRAME_SIZE 2^24-1", .open, Frame.settings([(5, 1 << 24 - 1)]), .ignored),
        .init(
            "8441 3",
            "SETTINGS_ENABLE_CONNECT_PROTOCOL 2",
            .open,
            Frame.settings([(8, 2)]),
            .connectionError(.protocolError)
        ),
        .init(
            "8441 3",
            "SETTINGS_ENABLE_CONNECT_PROTOCOL taken back",
            .open,
            Frame.settings([(8, 1)]) + Frame.settings([(8, 0)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9218 2.1",
            "SETTINGS_NO_RFC7540_PRIORITIES 2",
            .open,
            Frame.settings([(9, 2)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9218 2.1",
            "SETTINGS_NO_RFC7540_PRIORITIES changed",
            .open,
            Frame.settings([(9, 1)]),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 10.5",
            "SETTINGS with too many entries",
            .open,
            Frame.settings(Array(repeating: (3, 5), count: 33)),
            .connectionError(.enhanceYourCalm)
        ),
    ]

    private static let connection: [ConformanceCase] = [
        .init(
            "9113 6.7",
            "PING on a stream",
            .open,
            Frame.make(6, stream: 1, Array(1...8)),
            .connectionError(.protocolError)
        ),
        .init("9113 6.7", "PING of 7 bytes", .open, Frame.make(6, Array(1...7)), .connectionError(.frameSizeError)),
        .init("9113 6.7", "an answer to no PING", .open, Frame.ping(acknowledgement: true), .ignored),
        .init(
            "9113 6.8",
            "GOAWAY on a stream",
            .open,
            Frame.make(7, stream: 1, Frame.bigEndian(1) + Frame.bigEndian(0)),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.8",
            "GOAWAY of 7 bytes",
            .open,
            Frame.make(7, [0, 0, 0, 1, 0, 0, 0]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.8",
            "GOAWAY with a last stream of the server's",
            .open,
            Frame.goAway(last: 2, code: 0),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.8",
            "a second GOAWAY with a higher last stream",
            .open,
            Frame.goAway(last: 1, code: 0) + Frame.goAway(last: 3, code: 0),
            .connectionError(.protocolError)
        ),
    ]

    private static let windows: [ConformanceCase] = [
        .init(
            "9113 6.9",
            "WINDOW_UPDATE by 0 on a stream",
            .open,
            Frame.windowUpdate(1, 0),
            .streamError(.protocolError),
            nghttp2: .connectionError(.protocolError)
        ),
        .init(
            "9113 6.9",
            "WINDOW_UPDATE by 0 on the connection",
            .open,
            Frame.windowUpdate(0, 0),
            .connectionError(.protocolError)
        ),
        .init(
            "9113 6.9",
            "WINDOW_UPDATE of 3 bytes",
            .open,
            Frame.make(8, stream: 1, [0, 0, 1]),
            .connectionError(.frameSizeError)
        ),
        .init(
            "9113 6.9.1",
            "a stream's window above 2^31-1",
            .open,
            Frame.windowUpdate(1, UInt32(Int32.max)),
            .streamError(.flowControlError)
        ),
        .init(
            "9113 6.9.1",
            "the connection's window above 2^31-1",
            .open,
            Frame.windowUpdate(0, UInt32(Int32.max)),
            .connectionError(.flowControlError)
        ),
        .init(
            "9113 6.9.2",
            "an initial window that lifts a stream's above 2^31-1",
            .open,
            Frame.windowUpdate(1, 1) + Frame.settings([(4, UInt32(Int32.max))]),
            .connectionError(.flowControlError),
            nghttp2: .streamError(.flowControlError)
        ),
    ]

    private static let messages: [ConformanceCase] = [
        .init(
            "9113 8.1",
            "an interim response before the final one",
            .open,
            Frame.headers(1, HeaderBlock.literal([(":status", "103")])) + Frame.headers(1, Frame.status200, end: true),
            .response(200)
        ),
        .init(
            "9113 8.1",
            "an interim response that ends the stream",
            .open,
            response([(":status", "103")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1",
            "DATA before the final response",
            .open,
            Frame.headers(1, HeaderBlock.literal([(":status", "100")])) + Frame.data(1, [1]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1",
            "DATA before any response",
            .open,
            Frame.data(1, [1]),
            .streamError(.protocolError),
            nghttp2: .connectionError(.protocolError)
        ),
        .init(
            "9113 8.1",
            "trailers",
            .answered,
            Frame.headers(1, HeaderBlock.literal([("x-checksum", "1")]), end: true),
            .closed(.noError)
        ),
        .init(
            "9113 8.1",
            "trailers without END_STREAM",
            .answered,
            Frame.headers(1, HeaderBlock.literal([("x-checksum", "1")])),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1",
            "pseudo-header field in trailers",
            .answered,
            response([(":status", "200")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.1",
            "upper case in a name",
            .open,
            response([(":status", "200"), ("Server", "x")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.1",
            "a blank in a name",
            .open,
            response([(":status", "200"), ("ser ver", "x")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.1",
            "an empty name",
            .open,
            response([(":status", "200"), ("", "x")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.1",
            "a line feed in a value",
            .open,
            response([(":status", "200"), ("server", "a\nb")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.1",
            "a value that begins with a blank",
            .open,
            response([(":status", "200"), ("server", " a")]),
            .streamError(.protocolError)
        ),
        .init("9113 8.2.1", "an empty value", .open, response([(":status", "200"), ("server", "")]), .response(200)),
        .init(
            "9113 8.2.2",
            "connection",
            .open,
            response([(":status", "200"), ("connection", "close")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.2",
            "keep-alive",
            .open,
            response([(":status", "200"), ("keep-alive", "1")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.2",
            "proxy-connection",
            .open,
            response([(":status", "200"), ("proxy-connection", "close")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.2",
            "transfer-encoding",
            .open,
            response([(":status", "200"), ("transfer-encoding", "chunked")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.2.2",
            "upgrade",
            .open,
            response([(":status", "200"), ("upgrade", "h2c")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3",
            "pseudo-header field after others",
            .open,
            response([("server", "x"), (":status", "200")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3",
            "pseudo-header field of requests",
            .open,
            response([(":status", "200"), (":path", "/")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3",
            "unknown pseudo-header field",
            .open,
            response([(":status", "200"), (":x", "1")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3.2",
            ":status twice",
            .open,
            response([(":status", "200"), (":status", "200")]),
            .streamError(.protocolError)
        ),
        .init("9113 8.3.2", "no :status", .open, response([("server", "x")]), .streamError(.protocolError)),
        .init(
            "9113 8.3.2",
            "an empty header block",
            .open,
            Frame.headers(1, [], end: true),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3.2",
            ":status of two digits",
            .open,
            response([(":status", "20")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.3.2",
            ":status that is no number",
            .open,
            response([(":status", "2x0")]),
            .streamError(.protocolError)
        ),
        .init("9110 15", ":status below 100", .open, response([(":status", "099")]), .streamError(.protocolError)),
        .init("9113 8.6", ":status 101", .open, response([(":status", "101")]), .streamError(.protocolError)),
        .init(
            "9113 8.1.1",
            "content-length of a body that is not there",
            .open,
            response([(":status", "200"), ("content-length", "5")]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1.1",
            "a body shorter than content-length",
            .open,
            Frame.headers(1, HeaderBlock.literal([(":status", "200"), ("content-length", "5")]))
                + Frame.data(1, [], end: true),
            .streamError(.protocolError)
        ),
        .init(
            "9113 8.1.1",
            "a body longer than content-length",
            .open,
            Frame.headers(1, HeaderBlock.literal([(":status", "200"), ("content-length", "0")]))
                + Frame.data(1, [1, 2]),
            .streamError(.protocolError)
        ),
        .init(
            "9110 8.6",
            "content-length twice",
            .open,
            response([(":status", "200"), ("content-length", "0"), ("content-length", "0")]),
            .streamError(.protocolError)
        ),
        .init(
            "9110 8.6",
            "content-length that is no number",
            .open,
            response([(":status", "200"), ("content-length", "-1")]),
            .streamError(.protocolError)
        ),
        .init(
            "9110 8.6",
            "content-length beyond 63 bits",
            .open,
            response([(":status", "200"), ("content-length", "99999999999999999999")]),
            .streamError(.protocolError)
        ),
        .init(
            "9110 8.6",
            "204 with content-length 0",
            .open,
            response([(":status", "204"), ("content-length", "0")]),
            .response(204)
        ),
        .init(
            "9110 8.6",
            "204 with content-length 1",
            .open,
            response([(":status", "204"), ("content-length", "1")]),
            .streamError(.protocolError)
        ),
        .init(
            "9110 8.6",
            "an interim response with content-length",
            .open,
            Frame.headers(1, HeaderBlock.literal([(":status", "103"), ("content-length", "0")])),
            .streamError(.protocolError)
        ),
        .init(
            "9110 15.4.5",
            "304 with the content-length of what it stands for",
            .open,
            response([(":status", "304"), ("content-length", "9")]),
            .response(304)
        ),
        .init(
            "9110 15.3.5",
            "204 with a body",
            .open,
            Frame.headers(1, HeaderBlock.literal([(":status", "204")])) + Frame.data(1, [1]),
            .streamError(.protocolError)
        ),
        .init(
            "9113 10.5.1",
            "a header list above our limit",
            .open,
            response([(":status", "200")] + Array(repeating: ("x", String(repeating: "y", count: 100)), count: 130)),
            .streamError(.protocolError)
        ),
    ]
}
