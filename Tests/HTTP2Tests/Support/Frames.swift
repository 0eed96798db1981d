@testable import HTTP2

/// Frames as bytes, for tests that play the peer.
enum Frame {
    static func make(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let length = payload.count
        let head = [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
        return head + bigEndian(stream) + payload
    }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settingsAcknowledgement = make(4, flags: 1)

    static func data(_ stream: UInt32, _ bytes: [UInt8], end: Bool = false) -> [UInt8] {
        make(0, flags: end ? 1 : 0, stream: stream, bytes)
    }

    static func headers(_ stream: UInt32, _ block: [UInt8], end: Bool = false, endHeaders: Bool = true) -> [UInt8] {
        make(1, flags: (end ? 1 : 0) | (endHeaders ? 4 : 0), stream: stream, block)
    }

    static func settings(_ values: [(UInt16, UInt32)] = []) -> [UInt8] {
        make(4, values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + bigEndian($0.1) })
    }

    static func reset(_ stream: UInt32, code: UInt32) -> [UInt8] { make(3, stream: stream, bigEndian(code)) }
    static func ping(acknowledgement: Bool = false) -> [UInt8] { make(6, flags: acknowledgement ? 1 : 0, Array(1...8)) }

    static func goAway(last: UInt32, code: UInt32, debug: String = "") -> [UInt8] {
        make(7, bigEndian(last) + bigEndian(code) + Array(debug.utf8))
    }

    static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> [UInt8] {
        make(8, stream: stream, bigEndian(increment))
    }

    static func continuation(_ stream: UInt32, _ block: [UInt8], endHeaders: Bool = true) -> [UInt8] {
        make(9, flags: endHeaders ? 4 : 0, stream: stream, block)
    }

    /// `:status: 200`, indexed in the static table.
    static let status200: [UInt8] = [0x88]
}

/// One frame taken apart.
struct ParsedFrame: Equatable {
    var type: UInt8
    var flags: UInt8
    var stream: UInt32
    var payload: [UInt8]

    /// The frames in the bytes, which must end with a whole frame; a client's preface is passed over.
    static func parse(_ bytes: [UInt8]) -> [ParsedFrame] {
        var frames: [ParsedFrame] = []
        var rest = bytes[...]
        if rest.starts(with: Frame.preface) { rest = rest.dropFirst(Frame.preface.count) }
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let payload = Array(rest.dropFirst(9).prefix(length))
            frames.append(ParsedFrame(type: head[3], flags: head[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + length)
        }
        precondition(rest.isEmpty, "\(rest.count) bytes of a frame are missing their rest")
        return frames
    }
}

/// Header blocks in plain literals, and decoding of what sessions send.
enum HeaderBlock {
    /// Literal fields without indexing and without Huffman coding (RFC 7541, section 6.2.2).
    static func literal(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0.0) + string($0.1) }
    }

    private static func string(_ text: String) -> [UInt8] {
        precondition(text.utf8.count < 127, "longer strings need a prefix integer")
        return [UInt8(text.utf8.count)] + Array(text.utf8)
    }

    struct Field: Equatable {
        var name: String
        var value: String
        var neverIndexed: Bool
    }

    /// Decodes the header blocks of one direction of a connection, in order, with nghttp2's inflater.
    final class Decoder {
        private let allocator = CountingAllocator()
        private var inflater: HeaderInflater

        init() throws {
            inflater = try HeaderInflater(allocator: allocator)
        }

        func limitTable(to size: Int) throws {
            try inflater.limitTable(to: size)
        }

        func decode(_ block: [UInt8]) throws -> [Field] {
            try block.withUnsafeBytes { bytes in
                var rest = bytes
                var fields: [Field] = []
                while let field = try inflater.next(&rest) {
                    fields.append(
                        Field(
                            name: String(decoding: field.name, as: UTF8.self),
                            value: String(decoding: field.value, as: UTF8.self),
                            neverIndexed: field.isNeverIndexed
                        )
                    )
                }
                return fields
            }
        }
    }
}
