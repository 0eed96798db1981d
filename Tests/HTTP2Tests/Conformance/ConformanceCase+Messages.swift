@testable import HTTP2

// HTTP messages.
extension ConformanceCase {
    static let messages: [ConformanceCase] = [
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
