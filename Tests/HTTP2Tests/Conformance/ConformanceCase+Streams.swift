@testable import HTTP2

// Stream states.
extension ConformanceCase {
    static let streams: [ConformanceCase] = [
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
}
