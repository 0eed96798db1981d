/// Builds the byte strings of the V2 encoding, whose integers are big-endian.
struct BigEndianWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }
}

/// Takes such byte strings apart again; valid as long as the memory is.
struct BigEndianReader {
    /// What was not read yet.
    private(set) var rest: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        rest = bytes
    }

    /// The next integer; throws `wrongLength` where there are too few bytes.
    mutating func read<Integer: FixedWidthInteger>(_: Integer.Type) throws(HistogramError) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard rest.count >= size else { throw .wrongLength }
        defer { rest = UnsafeBufferPointer(rebasing: rest[size...]) }
        return Integer(bigEndian: UnsafeRawBufferPointer(rest).loadUnaligned(as: Integer.self))
    }
}
