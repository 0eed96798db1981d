/// The encoder's view of the peer's dynamic table: which of our fields are in it, and where (RFC 7541, sections 2.3.2
/// and 4).
///
/// Fields are known by the number that `intern` gives them. The table never holds more than 4,096 bytes, whatever the
/// peer allows. An entry is only evicted when nothing is lost by it, so that more fields than fit never chase each
/// other through the table: what finds no place is sent as a literal.
struct EncoderTable {
    /// The RFC's initial size, and all that we use.
    static let ownMaximum = 4096

    private struct Field {
        var name: String
        var value: String
        /// How many templates have it; an entry of a field without users is dead weight.
        var users = 0
        /// The number of the insertion that put it in, if it is in.
        var insertion: Int?

        /// RFC 7541, section 4.1.
        var size: Int { name.utf8.count + value.utf8.count + 32 }
    }

    private var fields: [Field] = []
    /// The fields in the table, oldest first.
    private var entries: [Int] = []
    private var used = 0
    private var insertions = 0
    private(set) var maximum = ownMaximum
    /// The smallest maximum since the last header block, when it has changed (RFC 7541, section 4.2).
    private var smallest: Int?
    /// Counts up whenever an index may have changed or a size update is due.
    private(set) var epoch = 1

    // MARK: Fields

    /// The number of a field that a template begins to use.
    mutating func intern(_ name: String, _ value: String) -> Int {
        let known = fields.firstIndex { $0.name == name && $0.value == value }
        // A field that is neither used nor in the table may be forgotten.
        let place = known ?? fields.firstIndex { $0.users == 0 && $0.insertion == nil } ?? fields.count
        if place == fields.count { fields.append(Field(name: name, value: value)) }
        if known == nil { fields[place] = Field(name: name, value: value) }
        fields[place].users += 1
        return place
    }

    /// A template no longer uses the field.
    mutating func release(_ field: Int) {
        fields[field].users -= 1
    }

    /// The index of a field that is in the table: the newest entry has 62.
    func index(of field: Int) -> Int? {
        fields[field].insertion.map { StaticTable.count + 1 + insertions - $0 }
    }

    /// The index of an entry with this name, for a literal that needs the name only.
    func index(ofName name: String) -> Int? {
        entries.last { fields[$0].name == name }.flatMap { index(of: $0) }
    }

    /// Puts a field into the table, as the peer will when it reads a literal with incremental indexing.
    ///
    /// - Returns: Whether it was put in; otherwise the literal must not be one with indexing.
    mutating func insert(_ field: Int) -> Bool {
        let size = fields[field].size
        if size > maximum || !mayEvict(toFree: size) { return false }
        while used + size > maximum { evictOldest() }
        insertions += 1
        fields[field].insertion = insertions
        entries.append(field)
        used += size
        epoch += 1
        return true
    }

    /// Only dead entries may go, or anything once half the table is dead.
    private func mayEvict(toFree size: Int) -> Bool {
        let dead = entries.reduce(0) { $0 + (fields[$1].users == 0 ? fields[$1].size : 0) }
        if dead * 2 >= maximum { return true }
        var room = maximum - used
        for entry in entries {
            if room >= size { return true }
            if fields[entry].users > 0 { return false }
            room += fields[entry].size
        }
        return room >= size
    }

    private mutating func evictOldest() {
        let field = entries.removeFirst()
        used -= fields[field].size
        fields[field].insertion = nil
        epoch += 1
    }

    // MARK: Size

    /// The peer's SETTINGS_HEADER_TABLE_SIZE came.
    mutating func limit(to size: UInt32) {
        let target = min(Int(size), Self.ownMaximum)
        if target == maximum && smallest == nil { return }
        smallest = min(smallest ?? target, target)
        maximum = target
        while used > maximum { evictOldest() }
        epoch += 1
    }

    /// Whether the next header block must begin with size updates.
    var needsUpdate: Bool { smallest != nil }

    /// The sizes to announce at the beginning of the next header block.
    mutating func takeUpdates() -> [Int] {
        guard let low = smallest else { return [] }
        smallest = nil
        epoch += 1
        return low < maximum ? [low, maximum] : [maximum]
    }
}
