internal import CNGHTTP2

extension nghttp2_nv {
    /// A header field whose name and value lie in memory of their own and are not copied by nghttp2.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - value: nil when it varies; it is then set before every use and never freed.
    ///   - indexing: Never indexed becomes nghttp2's `NO_INDEX`.
    init(owning name: String, _ value: String?, _ indexing: HeaderIndexing) {
        precondition(name == name.lowercased(), "header field name \(name) is not in lower case")
        var flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        if indexing == .neverIndexed { flags |= NGHTTP2_NV_FLAG_NO_INDEX.rawValue }
        let (nameBytes, nameCount) = ownedBytes(name)
        self.init(name: nameBytes, value: nil, namelen: nameCount, valuelen: 0, flags: UInt8(flags))
        if let value { (self.value, valuelen) = ownedBytes(value) }
    }

    /// Frees what `init` has allocated.
    func freeOwned(withValue: Bool) {
        name.deallocate()
        if withValue { value.deallocate() }
    }

    mutating func replaceOwned(_ value: String) {
        self.value.deallocate()
        (self.value, valuelen) = ownedBytes(value)
    }

    /// Points to a value that someone else owns; nghttp2's type is not const, but it only reads.
    mutating func borrow(_ value: UnsafeRawBufferPointer) {
        self.value = UnsafeMutablePointer(mutating: value.baseAddress?.assumingMemoryBound(to: UInt8.self))
        valuelen = value.count
    }

    func nameEquals(_ other: String) -> Bool {
        UnsafeBufferPointer(start: name, count: namelen).elementsEqual(other.utf8)
    }
}

/// Room for a number's decimal digits.
struct DecimalDigits: ~Copyable {
    /// 20 digits hold any 64-bit number.
    private let digits = UnsafeMutablePointer<UInt8>.allocate(capacity: 20)

    deinit {
        digits.deallocate()
    }

    /// The digits of a number that is not negative; valid until the next call.
    func write(_ number: Int) -> UnsafeRawBufferPointer {
        var rest = number
        var position = 20
        repeat {
            position -= 1
            digits[position] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        return UnsafeRawBufferPointer(start: digits + position, count: 20 - position)
    }
}

/// A copy of the text's bytes that the caller deallocates.
private func ownedBytes(_ text: String) -> (UnsafeMutablePointer<UInt8>, Int) {
    let utf8 = Array(text.utf8)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(utf8.count, 1))
    for (index, byte) in utf8.enumerated() { (memory + index).initialize(to: byte) }
    return (memory, utf8.count)
}
