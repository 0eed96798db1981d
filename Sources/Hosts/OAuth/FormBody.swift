/// Reads `application/x-www-form-urlencoded` (WHATWG URL, 5.1).
enum FormBody {
    /// The value of the first field of that name, decoded; nil if there is none.
    static func value(of name: String, in body: UnsafeRawBufferPointer) -> String? {
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, decode(first) == name else { continue }
            return parts.count == 2 ? decode(parts[1]) : ""
        }
        return nil
    }

    private static func decode(_ text: Slice<UnsafeRawBufferPointer>) -> String {
        var result: [UInt8] = []
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            at += 1
            if byte == UInt8(ascii: "+") {
                result.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), at + 2 <= text.endIndex,
                let decoded = UInt8(String(decoding: text[at..<at + 2], as: UTF8.self), radix: 16)
            {
                result.append(decoded)
                at += 2
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
