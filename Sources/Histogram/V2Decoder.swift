/// Decodes one text after another, with the memory for one.
package final class V2Decoder {
    private static let usualSize = 4_096

    private let inflater = Zlib.Inflater()
    private var message = [UInt8](repeating: 0, count: usualSize)
    private var contents = [UInt8](repeating: 0, count: usualSize)

    package init() {}

    /// The buckets, and how many values they count together.
    func buckets(of text: String) throws(HistogramError) -> (buckets: PackedBuckets, count: UInt64) {
        var text = text
        return
            try text.withUTF8 { text in
                Result { () throws(HistogramError) in try buckets(of: text) }
            }
            .get()
    }

    /// The same of a text in UTF-8.
    func buckets(
        of text: UnsafeBufferPointer<UInt8>
    ) throws(HistogramError) -> (buckets: PackedBuckets, count: UInt64) {
        Self.makeRoom(for: Base64.mostBytes(of: text.count), in: &message)
        guard let length = message.withUnsafeMutableBufferPointer({ Base64.decode(text, into: $0) }) else {
            throw .notBase64
        }
        return try message.withUnsafeBufferPointer { (bytes) throws(HistogramError) in
            var message = BigEndianReader(UnsafeBufferPointer(rebasing: bytes[..<length]))
            let cookie = try message.read(UInt32.self)
            guard cookie == V2.compressedCookie else { throw .unknownCookie(cookie) }
            guard try message.read(UInt32.self) == UInt32(message.rest.count) else { throw .wrongLength }
            return try inflated(message.rest)
        }
    }

    private func inflated(
        _ compressed: UnsafeBufferPointer<UInt8>
    ) throws(HistogramError) -> (buckets: PackedBuckets, count: UInt64) {
        // Counts rarely shrink to less than an eighth.
        Self.makeRoom(for: min(8 * compressed.count, V2.longestContents), in: &contents)
        while true {
            let length = try contents.withUnsafeMutableBufferPointer { (memory) throws(HistogramError) in
                try inflater.inflate(compressed, into: memory)
            }
            if let length {
                return try contents.withUnsafeBufferPointer { (bytes) throws(HistogramError) in
                    try Self.counts(in: UnsafeBufferPointer(rebasing: bytes[..<length]))
                }
            }
            guard contents.count < V2.longestContents else { throw .wrongLength }
            Self.makeRoom(for: V2.longestContents, in: &contents)
        }
    }

    private static func makeRoom(for count: Int, in memory: inout [UInt8]) {
        if memory.count < count { memory = [UInt8](repeating: 0, count: count) }
    }

    private static func counts(
        in bytes: UnsafeBufferPointer<UInt8>
    ) throws(HistogramError) -> (buckets: PackedBuckets, count: UInt64) {
        var contents = BigEndianReader(bytes)
        let cookie = try contents.read(UInt32.self)
        guard cookie == V2.cookie else { throw .unknownCookie(cookie) }
        let length = try contents.read(UInt32.self)
        let offset = try contents.read(UInt32.self)
        guard offset == 0 else { throw .unsupported("normalizing index offset is \(offset), only 0 is read") }
        let digits = try contents.read(UInt32.self)
        guard digits == BucketLayout.significantDigits else {
            throw .unsupported("keeps \(digits) significant digits, only 3 are read")
        }
        let unit = try contents.read(Int64.self)
        guard unit == 1 else { throw .unsupported("lowest discernible value is \(unit), only 1 is read") }
        _ = try contents.read(Int64.self)  // highest value: any, as long as the counts fit our buckets
        let ratio = Double(bitPattern: try contents.read(UInt64.self))
        guard ratio == 1 else { throw .unsupported("values are scaled by \(ratio), only 1.0 is read") }
        guard length == UInt32(contents.rest.count) else { throw .wrongLength }
        return try PackedBuckets.checked(contents.rest)
    }
}
