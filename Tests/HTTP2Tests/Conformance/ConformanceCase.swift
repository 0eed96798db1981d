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

extension ConformanceCase {
    static func response(_ fields: [(String, String)]) -> [UInt8] {
        Frame.headers(1, HeaderBlock.literal(fields), end: true)
    }

    static func padded(_ padding: Int, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(padding)] + payload + Array(repeating: 0, count: padding)
    }

    static let all = framing + streams + data + headers + otherFrames + settings + connection + windows + messages
}
