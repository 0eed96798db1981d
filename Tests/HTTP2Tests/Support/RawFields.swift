import CNGHTTP2

@testable import HTTP2

/// A decoded field, byte for byte.
struct RawField: Equatable, CustomStringConvertible {
    var name: [UInt8]
    var value: [UInt8]
    var neverIndexed = false

    init(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>, neverIndexed: Bool = false) {
        self.name = Array(name)
        self.value = Array(value)
        self.neverIndexed = neverIndexed
    }

    init(_ name: String, _ value: String, neverIndexed: Bool = false) {
        self.init(name.utf8, value.utf8, neverIndexed: neverIndexed)
    }

    var description: String {
        "\(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self))"
            + (neverIndexed ? " (never indexed)" : "")
    }
}

/// Our decoder, collecting what it hands over.
final class OwnDecoder {
    /// What goes with a field beside its bytes.
    struct Facts: Equatable {
        var source: DecodedField.Source
        var staticIndex: UInt8
        var kind: UInt8
        var isSound: Bool
    }

    private struct Sink: HeaderSink {
        var fields: [RawField] = []
        var facts: [Facts] = []

        /// A name's length is as good as any number to be kept with it.
        func kind(ofName name: UnsafeRawBufferPointer, staticIndex: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: name.count)
        }

        mutating func take(_ field: DecodedField) {
            fields.append(RawField(field.name, field.value, neverIndexed: field.source == .neverIndexed))
            facts.append(
                Facts(source: field.source, staticIndex: field.staticIndex, kind: field.kind, isSound: field.isSound)
            )
        }
    }

    private var decoder = HeaderDecoder()
    /// Of the last block.
    private(set) var facts: [Facts] = []
    private(set) var size = 0

    func limitTable(to size: Int) { decoder.limitTable(to: size) }

    func decode(_ block: [UInt8], limit: Int = .max) throws -> [RawField] {
        // In memory of its own size, so that reading past the end is found by a sanitizer.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: block.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: block)
        var sink = Sink()
        size = try decoder.decode(UnsafeRawBufferPointer(memory), limit: limit, into: &sink)
        facts = sink.facts
        return sink.fields
    }
}

/// nghttp2's inflater over whole blocks.
final class ReferenceDecoder {
    private let inflater: HeaderInflater

    init() throws {
        inflater = try HeaderInflater(allocator: CountingAllocator())
    }

    func limitTable(to size: Int) throws {
        try inflater.limitTable(to: size)
    }

    func decode(_ block: [UInt8]) throws -> [RawField] {
        try block.withUnsafeBytes { bytes in
            var rest = bytes
            var fields: [RawField] = []
            while let field = try inflater.next(&rest) {
                fields.append(RawField(field.name, field.value, neverIndexed: field.isNeverIndexed))
            }
            return fields
        }
    }
}

/// nghttp2's deflater.
final class ReferenceEncoder {
    private let deflater: OpaquePointer

    init() {
        var made: OpaquePointer?
        guard nghttp2_hd_deflate_new(&made, 4096) == 0, let made else { fatalError("no deflater") }
        deflater = made
    }

    deinit {
        nghttp2_hd_deflate_del(deflater)
    }

    func limitTable(to size: Int) {
        precondition(nghttp2_hd_deflate_change_table_size(deflater, size) == 0)
    }

    func encode(_ fields: [RawField]) -> [UInt8] {
        var pairs: [nghttp2_nv] = []
        for field in fields {
            let name = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: field.name.count)
            _ = name.initialize(from: field.name)
            let value = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: field.value.count)
            _ = value.initialize(from: field.value)
            let flags = field.neverIndexed ? UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) : 0
            pairs.append(
                nghttp2_nv(
                    name: name.baseAddress,
                    value: value.baseAddress,
                    namelen: name.count,
                    valuelen: value.count,
                    flags: flags
                )
            )
        }
        defer {
            for pair in pairs {
                pair.name.deallocate()
                pair.value.deallocate()
            }
        }
        var block = [UInt8](repeating: 0, count: nghttp2_hd_deflate_bound(deflater, pairs, pairs.count))
        let count = nghttp2_hd_deflate_hd(deflater, &block, block.count, pairs, pairs.count)
        precondition(count >= 0)
        return Array(block[..<count])
    }
}
