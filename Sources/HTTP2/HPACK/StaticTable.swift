/// The static table of HPACK (RFC 7541, appendix A).
enum StaticTable {
    static let count = 61

    /// The lowest index with this name, and the index with this name and value; both from 1.
    static func find(_ name: String, _ value: String) -> (name: Int?, field: Int?) {
        let nameIndex = fields.firstIndex { $0.0 == name }
        let fieldIndex = fields.firstIndex { $0.0 == name && $0.1 == value }
        return (nameIndex.map { $0 + 1 }, fieldIndex.map { $0 + 1 })
    }

    private static let fields: [(String, String)] = [
        (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
        (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
        (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
        ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""), ("accept", ""),
        ("access-control-allow-origin", ""), ("age", ""), ("allow", ""), ("authorization", ""), ("cache-control", ""),
        ("content-disposition", ""), ("content-encoding", ""), ("content-language", ""), ("content-length", ""),
        ("content-location", ""), ("content-range", ""), ("content-type", ""), ("cookie", ""), ("date", ""),
        ("etag", ""), ("expect", ""), ("expires", ""), ("from", ""), ("host", ""), ("if-match", ""),
        ("if-modified-since", ""), ("if-none-match", ""), ("if-range", ""), ("if-unmodified-since", ""),
        ("last-modified", ""), ("link", ""), ("location", ""), ("max-forwards", ""), ("proxy-authenticate", ""),
        ("proxy-authorization", ""), ("range", ""), ("referer", ""), ("refresh", ""), ("retry-after", ""),
        ("server", ""), ("set-cookie", ""), ("strict-transport-security", ""), ("transfer-encoding", ""),
        ("user-agent", ""), ("vary", ""), ("via", ""), ("www-authenticate", ""),
    ]

    /// An entry's bytes.
    struct Entry {
        let name: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer
        /// The lowest entry with this name.
        let lowest: UInt8
    }

    // Made once, never changed and never freed. The first entry is number 1; number 0 is not used.
    nonisolated(unsafe) static let entries: UnsafePointer<Entry> = {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count + 1)
        for (index, field) in ([("", "")] + fields).enumerated() {
            let lowest = UInt8(find(field.0, field.1).name ?? 0)
            (entries + index).initialize(to: Entry(name: keep(field.0), value: keep(field.1), lowest: lowest))
        }
        return UnsafePointer(entries)
    }()

    private static func keep(_ text: String) -> UnsafeRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
        return UnsafeRawBufferPointer(bytes)
    }
}
