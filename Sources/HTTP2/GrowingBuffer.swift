internal import Glibc

/// Bytes in memory that grows and never shrinks; its owner frees it.
struct GrowingBuffer: BitwiseCopyable {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    var count = 0

    /// Appends a copy; bytes appended before may move.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        room(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    mutating func append(_ byte: UInt8) {
        room(for: 1).storeBytes(of: byte, as: UInt8.self)
        count += 1
    }

    mutating func append(contentsOf bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Memory after the last byte for so many more, which the caller writes and then adds to `count`.
    @inline(__always)
    mutating func room(for size: Int) -> UnsafeMutableRawPointer {
        reserve(count + size)
        guard let base else { preconditionFailure("a buffer with room has no memory") }
        return base + count
    }

    @inline(__always)
    mutating func reserve(_ size: Int) {
        if base == nil || size > capacity { grow(to: size) }
    }

    private mutating func grow(to size: Int) {
        var larger = max(capacity, 512)
        while larger < size { larger *= 2 }
        guard let moved = realloc(base, larger) else { preconditionFailure("no memory for \(larger) bytes") }
        base = moved
        capacity = larger
    }

    /// Bytes in the buffer; valid until it grows.
    func bytes(from offset: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base.map { UnsafeRawPointer($0) + offset }, count: count)
    }

    /// Drops the first bytes and moves the others to the beginning.
    mutating func removeFirst(_ dropped: Int) {
        count -= dropped
        if let base { memmove(base, base + dropped, count) }
    }

    /// Gives the memory back when there is more than this much of it; what was in it is lost then.
    mutating func shrink(above size: Int) {
        if capacity <= size { return }
        free()
        self = GrowingBuffer()
    }

    func free() {
        Glibc.free(base)
    }
}
