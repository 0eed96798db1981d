/// Writes the header blocks of requests: an image of what is constant, made once for each state of the table, with
/// what varies put in between.
///
/// Nothing is allocated per request; an image is made anew when its template is first used, when the table changes, and
/// when a field is replaced. A block that has been written must be sent, and in that order: the peer's table follows.
struct HeaderEncoder: ~Copyable {
    /// What a request needs of its template, in one place.
    private struct Image: BitwiseCopyable {
        /// The constants as they are sent now.
        var bytes = GrowingBuffer()
        /// Where the path goes.
        var split = 0
        /// The table's epoch for which `bytes` holds; 0 for none.
        var epoch = 0
        var apnsIDName = GrowingBuffer()
        var hasPath: Bool
        var hasContentLength: Bool
        /// An upper bound for a block, without what varies.
        var maximumSize: Int
        var bytesLost: Int
    }

    private var table = EncoderTable()
    private var layouts: [TemplateLayout] = []
    private var images = UnsafeMutableBufferPointer<Image>.allocate(capacity: 4)
    private var requests: UInt64 = 0
    /// How many more bytes the blocks had than with Huffman coding throughout; of paths and apns-ids every 64th is
    /// looked at and counts for 64.
    private(set) var bytesLost: UInt64 = 0

    deinit {
        for index in layouts.indices {
            images[index].bytes.free()
            images[index].apnsIDName.free()
        }
        images.deallocate()
    }

    // MARK: Templates

    mutating func prepare(_ template: RequestTemplate) -> TemplateID {
        var layout = TemplateLayout(template)
        layout.intern(in: &table)
        if layouts.count == images.count { growImages() }
        var image = Image(
            hasPath: layout.hasPath,
            hasContentLength: layout.hasContentLength,
            maximumSize: Self.maximumSize(layout),
            bytesLost: layout.bytesLost
        )
        image.apnsIDName.append(contentsOf: layout.apnsIDName)
        images.initializeElement(at: layouts.count, to: image)
        layouts.append(layout)
        return TemplateID(index: Int32(layouts.count - 1))
    }

    mutating func replaceField(named name: String, in template: TemplateID, with value: String) {
        let index = Int(template.index)
        layouts[index].replace(name, with: value, in: &table)
        images[index].epoch = 0
        images[index].maximumSize = Self.maximumSize(layouts[index])
        images[index].bytesLost = layouts[index].bytesLost
    }

    private mutating func growImages() {
        let larger = UnsafeMutableBufferPointer<Image>.allocate(capacity: images.count * 2)
        _ = larger.moveInitialize(fromContentsOf: images)
        images.deallocate()
        images = larger
    }

    /// 48 more than the constants need: types, lengths and the digits of what varies.
    private static func maximumSize(_ layout: TemplateLayout) -> Int {
        layout.maximumSize + layout.apnsIDName.count + 48
    }

    /// The peer's SETTINGS_HEADER_TABLE_SIZE came.
    mutating func limitTable(to size: UInt32) {
        table.limit(to: size)
    }

    // MARK: Blocks

    /// An upper bound for the size of a request's block.
    @inline(__always)
    func maximumSize(_ template: Int32, _ variables: RequestVariables) -> Int {
        images[Int(template)].maximumSize &+ variables.path.count &+ variables.apnsID.count
    }

    /// Writes a request's block to memory with room for `maximumSize` bytes.
    ///
    /// - Returns: The block's size.
    @inline(__always)
    mutating func write(
        _ template: Int32,
        _ variables: RequestVariables,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        if images[Int(template)].epoch != table.epoch { makeImage(Int(template)) }
        let image = images[Int(template)]
        var end = memory
        // Requests differ little in size, so pieces of a few bytes are copied by whole words, beyond their end.
        copyShort(image.bytes.bytes(from: 0, count: image.split), to: &end)
        if image.hasPath {
            // :path is number 4 of the static table; never indexed, not Huffman-coded.
            end.storeBytes(of: 0x14, as: UInt8.self)
            end += 1
            copyString(variables.path, to: &end)
        }
        copy(image.bytes.bytes(from: image.split, count: image.bytes.count &- image.split), to: &end)
        if image.apnsIDName.count > 0, !variables.apnsID.isEmpty {
            copyShort(image.apnsIDName.bytes(from: 0, count: image.apnsIDName.count), to: &end)
            copyString(variables.apnsID, to: &end)
        }
        if image.hasContentLength { writeContentLength(variables.body.count, to: &end) }
        count(image.bytesLost, variables)
        return end - memory
    }

    @inline(__always)
    private func copy(_ bytes: UnsafeRawBufferPointer, to end: inout UnsafeMutableRawPointer) {
        guard let source = bytes.baseAddress else { return }
        end.copyMemory(from: source, byteCount: bytes.count)
        end += bytes.count
    }

    /// Copies a piece of an image: of 16 bytes or fewer as 16, which image and block both have room for.
    @inline(__always)
    private func copyShort(_ bytes: UnsafeRawBufferPointer, to end: inout UnsafeMutableRawPointer) {
        guard bytes.count <= 16, let source = bytes.baseAddress else { return copy(bytes, to: &end) }
        end.storeBytes(of: source.loadUnaligned(as: SIMD2<UInt64>.self), as: SIMD2<UInt64>.self)
        end += bytes.count
    }

    @inline(__always)
    private func copyString(_ bytes: UnsafeRawBufferPointer, to end: inout UnsafeMutableRawPointer) {
        end += HPACKCoding.writeLength(bytes.count, to: end)
        copy(bytes, to: &end)
    }

    /// content-length is number 28 of the static table: 15 in the prefix and 13 more.
    private func writeContentLength(_ number: Int, to end: inout UnsafeMutableRawPointer) {
        end.storeBytes(of: 0x1f, as: UInt8.self)
        end.storeBytes(of: 0x0d, toByteOffset: 1, as: UInt8.self)
        end += 2 + HPACKCoding.writeDecimal(number, to: end + 2)
    }

    @inline(__always)
    private mutating func count(_ constantBytes: Int, _ variables: RequestVariables) {
        bytesLost &+= UInt64(constantBytes)
        requests &+= 1
        if requests & 63 == 1 { countVarying(variables) }
    }

    private mutating func countVarying(_ variables: RequestVariables) {
        for bytes in [variables.path, variables.apnsID] {
            bytesLost &+= 64 * UInt64(max(0, bytes.count - Huffman.encodedCount(bytes)))
        }
    }

    /// Encodes a template's constants for the table as it is.
    ///
    /// An image that changes the table holds once only.
    private mutating func makeImage(_ index: Int) {
        let epoch = table.epoch
        var bytes = images[index].bytes
        bytes.count = 0
        for size in table.takeUpdates() { bytes.append(contentsOf: HPACKCoding.sizeUpdate(size)) }
        for field in layouts[index].pseudo { bytes.append(contentsOf: field.encode(in: &table)) }
        images[index].split = bytes.count
        for field in layouts[index].regular { bytes.append(contentsOf: field.encode(in: &table)) }
        images[index].bytes = bytes
        images[index].epoch = table.epoch == epoch ? epoch : 0
    }
}
