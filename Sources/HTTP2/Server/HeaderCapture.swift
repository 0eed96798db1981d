internal import Glibc

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

    /// One name, with its place among a request's values.
    private struct Entry: BitwiseCopyable {
        var offset: Int
        var count: Int
        var place: Int
    }

    let count: Int
    /// All names, one after another; freed with this value, like the two below.
    private let text: UnsafeMutableRawBufferPointer
    /// Where the names lie in `text`, sorted by length.
    private let entries: UnsafeMutableBufferPointer<Entry>
    /// At each length, the first entry that is at least so long; one more at the end.
    private let starts: UnsafeMutableBufferPointer<Int>

    init(_ names: [String]) {
        precondition(names.count <= 28, "a server session captures at most 28 header fields, not \(names.count)")
        // `host` says what `:authority` says (RFC 9113, section 8.3.1).
        let all =
            (Self.pseudo + names).enumerated().map { (name: Array($1.utf8), place: $0) }
            + [(name: Array("host".utf8), place: Self.authority)]
        let sorted = all.sorted { $0.name.count < $1.name.count }
        count = Self.pseudo.count + names.count
        text = .allocate(byteCount: sorted.reduce(0) { $0 + $1.name.count }, alignment: 1)
        text.copyBytes(from: sorted.flatMap(\.name))
        entries = .allocate(capacity: sorted.count)
        var offset = 0
        for (index, entry) in sorted.enumerated() {
            entries.initializeElement(
                at: index,
                to: Entry(offset: offset, count: entry.name.count, place: entry.place)
            )
            offset += entry.name.count
        }
        let longest = sorted.last?.name.count ?? 0
        starts = .allocate(capacity: longest + 2)
        for length in 0...longest + 1 {
            starts.initializeElement(at: length, to: sorted.firstIndex { $0.name.count >= length } ?? sorted.count)
        }
    }

    deinit {
        text.deallocate()
        entries.deallocate()
        starts.deallocate()
    }

    /// The place of the field's value, or nil for a field that is not kept.
    func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard name.count + 1 < starts.count, let bytes = name.baseAddress, let texts = text.baseAddress else {
            return nil
        }
        for index in starts[name.count]..<starts[name.count + 1] {
            let entry = entries[index]
            if memcmp(texts + entry.offset, bytes, name.count) == 0 { return entry.place }
        }
        return nil
    }
}
