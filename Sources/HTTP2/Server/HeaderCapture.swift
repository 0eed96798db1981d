internal import Glibc
internal import Synchronization

/// Which parts of a request a server session keeps.
package enum HeaderCapture: Hashable, Sendable {
    /// Only that there was a request: header values and bodies are passed over.
    case nothing
    /// The pseudo-header fields, the body, and the header fields of these names (in lower case, at most 28).
    /// `RequestView.value(at:)` counts in the order given here.
    case named([String])

    /// The names as sessions look them up; made once for all sessions that capture the same.
    var names: HeaderNames {
        let fields = if case .named(let fields) = self { fields } else { [String]() }
        return HeaderNames.known.withLock { known in
            if let names = known[fields] { return names }
            let names = HeaderNames(fields)
            known[fields] = names
            return names
        }
    }
}

/// What the name of a request's field means to a server session: a place among the values that are kept, or a rule.
struct FieldKind {
    /// Kept nowhere.
    static let other: UInt8 = 0xff
    /// Begins with a colon and is none of a request's.
    static let unknownPseudo: UInt8 = 0xfe
    /// Belongs to a connection of HTTP/1.1 (RFC 9113, section 8.2.2).
    static let ofConnection: UInt8 = 0xfd
    /// Says what `:authority` says (RFC 9113, section 8.3.1).
    static let host: UInt8 = 0xfc
    /// These two have rules, and may be kept as well.
    static let contentLength: UInt8 = 0xfb
    static let te: UInt8 = 0xfa
}

/// Finds what a header field's name means, without hashing and without a `String`; shared by sessions.
final class HeaderNames: @unchecked Sendable {
    /// The pseudo-header fields take the first places of a request's values.
    static let pseudo = [":method", ":path", ":scheme", ":authority"]
    static let method = 0
    static let path = 1
    static let scheme = 2
    static let authority = 3

    fileprivate static let known = Mutex<[[String]: HeaderNames]>([:])

    private static let rules: [(name: String, kind: UInt8)] = [
        ("host", FieldKind.host), ("content-length", FieldKind.contentLength), ("te", FieldKind.te),
        ("connection", FieldKind.ofConnection), ("keep-alive", FieldKind.ofConnection),
        ("proxy-connection", FieldKind.ofConnection), ("transfer-encoding", FieldKind.ofConnection),
        ("upgrade", FieldKind.ofConnection),
    ]

    /// One name, with what it means.
    private struct Entry: BitwiseCopyable {
        var offset: Int
        var count: Int
        var kind: UInt8
    }

    /// How many values a request can have.
    let count: Int
    /// Where the values of fields with rules are kept, if they are.
    let contentLengthPlace: Int?
    let tePlace: Int?
    // Written here only; freed with this object.
    /// All names, one after another.
    private let text: UnsafeMutableRawBufferPointer
    /// Where the names lie in `text`, sorted by length.
    private let entries: UnsafeMutableBufferPointer<Entry>
    /// At each length, the first entry that is at least so long; one more at the end.
    private let starts: UnsafeMutableBufferPointer<Int>
    /// What the names of the static table mean.
    private let statics: UnsafeMutableBufferPointer<UInt8>

    init(_ names: [String]) {
        precondition(names.count <= 28, "a server session captures at most 28 header fields, not \(names.count)")
        let places = Self.pseudo + names
        count = places.count
        contentLengthPlace = places.firstIndex(of: "content-length")
        tePlace = places.firstIndex(of: "te")
        let ruled = Set(Self.rules.map(\.name))
        let kept = places.enumerated().filter { !ruled.contains($1) }.map { (name: $1, kind: UInt8($0)) }
        let sorted = (kept + Self.rules).sorted { $0.name.utf8.count < $1.name.utf8.count }
        text = .allocate(byteCount: sorted.reduce(0) { $0 + $1.name.utf8.count }, alignment: 1)
        text.copyBytes(from: sorted.flatMap { Array($0.name.utf8) })
        entries = .allocate(capacity: sorted.count)
        var offset = 0
        for (index, entry) in sorted.enumerated() {
            let count = entry.name.utf8.count
            entries.initializeElement(at: index, to: Entry(offset: offset, count: count, kind: entry.kind))
            offset += count
        }
        let longest = sorted.last?.name.utf8.count ?? 0
        starts = .allocate(capacity: longest + 2)
        for length in 0...longest + 1 {
            let start = sorted.firstIndex { $0.name.utf8.count >= length } ?? sorted.count
            starts.initializeElement(at: length, to: start)
        }
        statics = .allocate(capacity: StaticTable.count + 1)
        statics.initialize(repeating: FieldKind.other)
        for index in 1...StaticTable.count { statics[index] = kind(of: StaticTable.entries[index].name) }
    }

    deinit {
        text.deallocate()
        entries.deallocate()
        starts.deallocate()
        statics.deallocate()
    }

    @inline(__always)
    func kind(ofStatic index: UInt8) -> UInt8 { statics[Int(index)] }

    /// What a name means.
    func kind(of name: UnsafeRawBufferPointer) -> UInt8 {
        guard let bytes = name.baseAddress, let first = name.first, let texts = text.baseAddress else {
            return FieldKind.other
        }
        if name.count + 1 < starts.count {
            for index in starts[name.count]..<starts[name.count + 1] {
                let entry = entries[index]
                if memcmp(texts + entry.offset, bytes, name.count) == 0 { return entry.kind }
            }
        }
        return first == UInt8(ascii: ":") ? FieldKind.unknownPseudo : FieldKind.other
    }
}
