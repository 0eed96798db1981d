internal import Glibc

extension UnsafeRawBufferPointer {
    /// Copies as many bytes as there is room for, and keeps the rest.
    ///
    /// - Returns: How many were copied.
    mutating func move(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let moved = Swift.min(count, buffer.count - offset)
        if moved == 0 { return 0 }
        UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + moved])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: self[..<moved]))
        self = UnsafeRawBufferPointer(rebasing: self[moved...])
        return moved
    }

    /// The big-endian number in the four bytes at `offset`.
    @inline(__always)
    func bigEndian(at offset: Int) -> Int32 {
        Int32(bigEndian: loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }

    @inline(__always)
    func bigEndianUnsigned(at offset: Int) -> UInt32 {
        UInt32(bitPattern: bigEndian(at: offset))
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let baseAddress else { return false }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }

    /// The number that these decimal digits are; nil for anything else, and beyond 2^63-1.
    var decimal: Int64? {
        if isEmpty { return nil }
        var number: Int64 = 0
        for digit in self {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            let (sum, carry) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            if carry { return nil }
            number = sum
        }
        return number
    }
}
