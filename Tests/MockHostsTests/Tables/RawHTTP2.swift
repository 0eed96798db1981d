import CNGHTTP2

/// Requests and responses of HTTP/2 as bytes: written by hand, read with nghttp2's own header decoder.
enum RawHTTP2 {
    struct Response: Equatable {
        /// Fields, `:status` among them, sorted: their order means nothing (RFC 9110, 5.3).
        var headers: [String]
        var body: String

        init(headers: [String], body: String) {
            self.headers = headers.sorted()
            self.body = body
        }
    }

    struct Failure: Error {
        var text: String
    }

    /// A connection's beginning and one request on stream 1; fields are written as literals that are not indexed.
    static func request(_ headers: [(String, String)], body: [UInt8]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in headers { block += [0x00] + string(name) + string(value) }
        let end: UInt8 = 0x1
        var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4, flags: 0, stream: 0, [])
        bytes += frame(type: 1, flags: 0x4 | (body.isEmpty ? end : 0), stream: 1, block)
        if !body.isEmpty { bytes += frame(type: 0, flags: end, stream: 1, body) }
        return bytes
    }

    /// The response on stream 1 among the frames that a server sent.
    static func response(in bytes: [UInt8]) throws -> Response {
        var response = Response(headers: [], body: "")
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let payload = Array(rest.dropFirst(9).prefix(length))
            rest = rest.dropFirst(9 + length)
            guard head[8] == 1 else { continue }
            switch head[3] {
            case 0: response.body += String(decoding: payload, as: UTF8.self)
            // Their order means nothing (RFC 9110, section 5.3).
            case 1: response.headers = try fields(payload).sorted()
            default: throw Failure(text: "a frame of type \(head[3]) on the stream")
            }
        }
        return response
    }

    private static func frame(type: UInt8, flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        precondition(count <= 16_384, "a frame of \(count) bytes")
        return [0, UInt8(count >> 8), UInt8(count & 0xFF), type, flags, 0, 0, 0, stream] + payload
    }

    /// RFC 7541, 5.1 and 5.2: a length with seven bits in its first byte, and the bytes.
    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var length = [UInt8(127)]
        var rest = bytes.count - 127
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }

    private static func fields(_ block: [UInt8]) throws -> [String] {
        var inflater: OpaquePointer?
        guard nghttp2_hd_inflate_new(&inflater) == 0 else { throw Failure(text: "no inflater") }
        defer { nghttp2_hd_inflate_del(inflater) }
        var fields: [String] = []
        var place = 0
        while place < block.count {
            var field = nghttp2_nv()
            var flags: Int32 = 0
            let used = block[place...]
                .withUnsafeBufferPointer {
                    nghttp2_hd_inflate_hd2(inflater, &field, &flags, $0.baseAddress, $0.count, 1)
                }
            guard used >= 0 else { throw Failure(text: "the header block is broken (\(used))") }
            place += used
            guard flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 else { continue }
            fields.append(text(field.name, field.namelen) + ": " + text(field.value, field.valuelen))
        }
        return fields
    }

    private static func text(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
