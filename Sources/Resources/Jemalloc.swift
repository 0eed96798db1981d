import CJemalloc

/// One statistic or control of jemalloc, its name looked up once; the only file that calls `mallctl`.
///
/// Reading it allocates nothing, so that a counter does not count itself.
struct JemallocControl: Sendable {
    /// The path to the node as integers, jemalloc's "management information base"; no name has more than seven parts.
    private let path: [Int]

    /// Looks the name up, with `mallctlnametomib`.
    ///
    /// - Throws: `statistic` with ENOENT when this build of jemalloc does not have the node.
    init(_ name: String) throws(ResourceError) {
        var path = [Int](repeating: 0, count: 8)
        var length = path.count
        let code = mallctlnametomib(name, &path, &length)
        guard code == 0 else { throw .statistic(name: name, code: code) }
        self.path = Array(path.prefix(length))
    }

    /// The value of a node that holds a `size_t` or `uint64_t`.
    func read() -> UInt64 {
        var value: UInt64 = 0
        var length = MemoryLayout<UInt64>.size
        let code = mallctlbymib(path, path.count, &value, &length, nil, 0)
        // ENOENT is ruled out by `init`, EINVAL would be a node of another size: our bug.
        precondition(code == 0 && length == MemoryLayout<UInt64>.size, "mallctl read failed with \(code)")
        return value
    }

    /// Writes a node that holds a `uint64_t`; for `epoch`, any write refreshes all statistics.
    func write(_ value: UInt64) {
        var value = value
        let code = mallctlbymib(path, path.count, nil, nil, &value, MemoryLayout<UInt64>.size)
        precondition(code == 0, "mallctl write failed with \(code)")
    }

    /// Performs a node that is an action, such as `thread.tcache.flush`.
    ///
    /// EFAULT, "this thread has no cache", is not a failure: then there is nothing to flush.
    func perform() {
        _ = mallctlbymib(path, path.count, nil, nil, nil, 0)
    }

    /// The text of a node that holds a `const char *`, which lives as long as the library.
    static func text(_ name: String) -> String? {
        var text: UnsafePointer<CChar>?
        var length = MemoryLayout<UnsafePointer<CChar>?>.size
        guard mallctl(name, &text, &length, nil, 0) == 0, let text else { return nil }
        return String(cString: text)
    }

    /// The counter of the calling thread that `name` (`thread.allocatedp` and the like) points to.
    ///
    /// The memory belongs to the thread and ends with it: read it on the calling thread only and do not keep it.
    static func threadCounter(_ name: StaticString) -> UInt64? {
        var counter: UnsafePointer<UInt64>?
        var length = MemoryLayout<UnsafePointer<UInt64>?>.size
        let code = name.withUTF8Buffer { text in
            text.withMemoryRebound(to: CChar.self) { mallctl($0.baseAddress, &counter, &length, nil, 0) }
        }
        return code == 0 ? counter?.pointee : nil
    }
}
