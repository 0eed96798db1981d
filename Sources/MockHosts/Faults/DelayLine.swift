/// Bytes that came but are not to be looked at before a while, oldest first.
struct DelayLine {
    /// In nanoseconds; 0 for none.
    var delay: Int64 = 0
    private var pieces: [(due: Int64, bytes: [UInt8])] = []

    mutating func keep(_ bytes: UnsafeRawBufferPointer, at now: Int64) {
        pieces.append((now + delay, Array(bytes)))
    }

    /// Takes out the oldest piece if its time has come.
    mutating func take(at now: Int64) -> [UInt8]? {
        guard let first = pieces.first, first.due <= now else { return nil }
        return pieces.removeFirst().bytes
    }

    /// How many bytes wait.
    var count: Int { pieces.reduce(0) { $0 + $1.bytes.count } }
}
