/// Which parts of a request a server session keeps.
package enum HeaderCapture: Hashable, Sendable {
    /// Only that there was a request: header values and bodies are passed over, for the cheapest possible mock.
    case nothing
    /// The pseudo-header fields, the body, and the header fields of these names (in lower case, at most 28).
    /// `RequestView.value(at:)` counts in the order given here.
    case named([String])
}

/// Finds which of the captured names a header field has, without hashing and without a `String`.
struct HeaderNames: ~Copyable {
    /// The pseudo-header fields take the first places of a request's values.
    static let pseudo = [":method", ":path", ":scheme", ":authority"]
    static let authority = 3

    let count: Int
    /// All names, one after another.
    private let text: [UInt8]
    /// Where each name lies in `text`, and its place among a request's values; sorted by length.
    private let entries: [(offset: Int, count: Int, place: Int)]
    /// For each length, the range of entries that have it.
    private let ranges: [Range<Int>]

    init(_ names: [String]) {
        precondition(names.count <= 28, "a server session captures at most 28 header fields, not \(names.count)")
        // `host` says what `:authority` says (RFC 9113, section 8.3.1).
        let all = (Self.pseudo + names).enumerated().map { ($1, $0) } + [("host", Self.authority)]
        var text: [UInt8] = []
        var entries: [(offset: Int, count: Int, place: Int)] = []
        for (name, place) in all.sorted(by: { $0.0.utf8.count < $1.0.utf8.count }) {
            entries.append((text.count, name.utf8.count, place))
            text += Array(name.utf8)
        }
        count = Self.pseudo.count + names.count
        ranges = (0...(entries.last?.count ?? 0))
            .map { length in
                let first = entries.firstIndex { $0.count >= length } ?? entries.count
                return first..<(entries.firstIndex { $0.count > length } ?? entries.count)
            }
        self.text = text
        self.entries = entries
    }

    /// The place of the field's value, or nil for a field that is not kept.
    func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard name.count < ranges.count else { return nil }
        for index in ranges[name.count] {
            let entry = entries[index]
            // The last byte tells most names of one length apart.
            guard name[name.count - 1] == text[entry.offset + entry.count - 1] else { continue }
            if text[entry.offset..<entry.offset + entry.count].elementsEqual(name) { return entry.place }
        }
        return nil
    }
}
