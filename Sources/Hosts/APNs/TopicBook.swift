import Push

/// The bundle ids that a team's keys may send to, found by the bytes of an `apns-topic` header.
struct TopicBook: Sendable {
    /// Where a bundle id's bytes lie in `text`.
    private struct Entry: Sendable {
        var start: Int
        var end: Int
        var tag: UInt16
    }

    /// All bundle ids end to end, so that looking one up touches one array.
    private var text: [UInt8] = []
    private var entries: [Entry] = []

    /// `tag` gives the mark that a synthetic device token carries for an app; see `Fleet`.
    init(bundleIDs: [String], tag: (String) -> UInt16) {
        for bundleID in bundleIDs { add(bundleID, tag: tag) }
    }

    var count: Int { entries.count }

    mutating func add(_ bundleID: String, tag: (String) -> UInt16) {
        let start = text.count
        text.append(contentsOf: bundleID.utf8)
        entries.append(Entry(start: start, end: text.count, tag: tag(bundleID)))
    }

    /// The tag of the app whose bundle id these bytes are, if it is among the first `count`; nil if it is none of them.
    func tag(ofBundleID bytes: UnsafeRawBufferPointer, amongFirst count: Int) -> UInt16? {
        text.withUnsafeBytes { text in
            for entry in entries.prefix(count) where text.part(entry.start, entry.end).equals(bytes) {
                return entry.tag
            }
            return nil
        }
    }

    /// Whether a topic could be anybody's: letters, digits, hyphens, dots and underscores, and not too long.
    static func isWellFormed(_ topic: UnsafeRawBufferPointer) -> Bool {
        guard topic.count <= 255 else { return false }
        return topic.allSatisfy {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
}
