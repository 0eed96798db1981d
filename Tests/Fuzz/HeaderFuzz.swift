internal import CNGHTTP2

/// Our header decoder beside nghttp2's inflater: both must read the same, or both refuse.
final class HeaderFuzz {
    private struct Sink: HeaderSink {
        var bytes: [UInt8] = []

        func kind(ofName name: UnsafeRawBufferPointer, staticIndex: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: name.count)
        }

        mutating func take(_ field: DecodedField) {
            precondition(field.kind == UInt8(truncatingIfNeeded: field.name.count), "a field with another's kind")
            bytes += field.name + [0] + field.value + [field.source == .neverIndexed ? 1 : 0]
        }
    }

    private var decoder = HeaderDecoder()
    private let inflater: HeaderInflater

    init() {
        guard let inflater = try? HeaderInflater(allocator: CountingAllocator()) else { fatalError("no inflater") }
        self.inflater = inflater
    }

    /// Takes the input as blocks with their lengths in front, and a length of 255 as another table size.
    func play(_ input: UnsafeRawBufferPointer) {
        var rest = input
        while let length = rest.first {
            rest = UnsafeRawBufferPointer(rebasing: rest[1...])
            if length == 255 {
                let size = Int(rest.first ?? 0) * 32
                decoder.limitTable(to: size)
                guard (try? inflater.limitTable(to: size)) != nil else { fatalError("no table") }
                continue
            }
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: min(Int(length), rest.count), alignment: 1)
            defer { block.deallocate() }
            block.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<block.count]))
            rest = UnsafeRawBufferPointer(rebasing: rest[block.count...])
            if !isReadAlike(UnsafeRawBufferPointer(block)) { return }
        }
    }

    /// False when both have refused.
    private func isReadAlike(_ block: UnsafeRawBufferPointer) -> Bool {
        var sink = Sink()
        let isRead = (try? decoder.decode(block, limit: .max, into: &sink)) != nil
        guard let expected = try? reference(block) else {
            precondition(!isRead, "a block that nghttp2 refuses was read")
            return false
        }
        precondition(isRead, "a block that nghttp2 reads was refused")
        precondition(sink.bytes == expected, "other fields than nghttp2's")
        return true
    }

    private func reference(_ block: UnsafeRawBufferPointer) throws -> [UInt8] {
        var rest = block
        var bytes: [UInt8] = []
        while let field = try inflater.next(&rest) {
            bytes += field.name + [0] + field.value + [field.isNeverIndexed ? 1 : 0]
        }
        return bytes
    }
}
