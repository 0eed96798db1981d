/// A block of memory that benchmarks lay their operands out in; freed with the last reference.
final class Memory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    convenience init(_ text: String) {
        self.init(byteCount: text.utf8.count)
        bytes.copyBytes(from: text.utf8)
    }

    deinit { bytes.deallocate() }

    /// A part of it, valid as long as `self`.
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
    }
}
