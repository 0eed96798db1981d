/// Reads the body of an HTTP/1.1 request, of known length or in chunks (RFC 9112, 6 and 7.1).
enum HTTP1Body {
    enum Outcome: Equatable {
        case incomplete
        case complete([UInt8], end: Int)
        case tooLong
        case malformed
    }

    static func read(_ bytes: ArraySlice<UInt8>, framing: HTTP1Head.Framing, longest: Int) -> Outcome {
        switch framing {
        case .length(let length):
            guard length <= longest else { return .tooLong }
            guard bytes.count >= length else { return .incomplete }
            return .complete(Array(bytes.prefix(length)), end: bytes.startIndex + length)
        case .chunked:
            return readChunks(bytes, longest: longest)
        }
    }

    private static func readChunks(_ bytes: ArraySlice<UInt8>, longest: Int) -> Outcome {
        var rest = bytes
        var content: [UInt8] = []
        while true {
            guard let line = takeLine(&rest) else { return rest.count > 256 ? .malformed : .incomplete }
            // Extensions after a semicolon mean nothing to us.
            let digits = line.prefix { $0 != UInt8(ascii: ";") }
            guard !digits.isEmpty, digits.count <= 8,
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
                size >= 0
            else { return .malformed }
            if size == 0 { return skipTrailers(rest, content) }
            guard content.count + size <= longest else { return .tooLong }
            guard rest.count >= size + 2 else { return .incomplete }
            content += rest.prefix(size)
            guard rest.dropFirst(size).prefix(2).elementsEqual("\r\n".utf8) else { return .malformed }
            rest = rest.dropFirst(size + 2)
        }
    }

    private static func skipTrailers(_ bytes: ArraySlice<UInt8>, _ content: [UInt8]) -> Outcome {
        var rest = bytes
        while let line = takeLine(&rest) {
            if line.isEmpty { return .complete(content, end: rest.startIndex) }
        }
        return bytes.count > 4096 ? .malformed : .incomplete
    }

    /// Takes the line that the slice begins with, without its end; nil if the end is not there yet.
    private static func takeLine(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = bytes[..<end]
        bytes = bytes[(end + 1)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
