import Hosts

/// The request line and header fields of an HTTP/1.1 request, as ranges of its bytes.
struct HTTP1Head: Equatable {
    /// How the end of the body is told.
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    /// Why the bytes are no request that we take.
    struct Refusal: Error, Equatable {
        var status: Int
    }

    var method: Range<Int>
    var target: Range<Int>
    var authorization: Range<Int>?
    var contentType: Range<Int>?
    var framing = Framing.length(0)
    var keepsAlive = true
    var expectsGoOn = false
    private var hasLength = false

    /// Parses what stands before the empty line.
    static func parse(_ text: ArraySlice<UInt8>) -> Result<HTTP1Head, Refusal> {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            }
        do {
            var head = try HTTP1Head(requestLine: lines.removeFirst())
            for line in lines { try head.take(line) }
            return .success(head)
        } catch {
            return .failure(error)
        }
    }

    private init(requestLine line: ArraySlice<UInt8>) throws(Refusal) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else { throw Refusal(status: 400) }
        guard parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8) else {
            throw Refusal(status: 505)
        }
        method = parts[0].indices
        target = parts[1].indices
        keepsAlive = parts[2].last == UInt8(ascii: "1")
    }

    private mutating func take(_ line: ArraySlice<UInt8>) throws(Refusal) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw Refusal(status: 400)
        }
        let value = trimmed(line[(colon + 1)...])
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "authorization": authorization = value.indices
        case "content-type": contentType = value.indices
        case "content-length":
            let length = Int(String(decoding: value, as: UTF8.self))
            // Two lengths that differ, or a length beside chunks, is how requests are smuggled (RFC 9112, 6.3).
            guard let length, length >= 0, !hasLength || framing == .length(length), framing != .chunked else {
                throw Refusal(status: 400)
            }
            hasLength = true
            framing = .length(length)
        case "transfer-encoding":
            guard !hasLength else { throw Refusal(status: 400) }
            guard words(value) == ["chunked"] else { throw Refusal(status: 501) }
            framing = .chunked
        case "connection":
            if words(value).contains("close") { keepsAlive = false }
            if words(value).contains("keep-alive") { keepsAlive = true }
        case "expect": expectsGoOn = words(value) == ["100-continue"]
        default: break
        }
    }

    private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = text.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start.prefix(0) }
        return start[...last]
    }

    private func words(_ text: ArraySlice<UInt8>) -> [String] {
        text.split(separator: UInt8(ascii: ",")).map { String(decoding: trimmed($0), as: UTF8.self).lowercased() }
    }
}
