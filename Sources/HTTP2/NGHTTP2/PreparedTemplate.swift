internal import CNGHTTP2

/// A request template as an array of `nghttp2_nv` that is patched for each request and handed to nghttp2 as it stands.
///
/// Names and values are in memory owned here and are never copied by nghttp2 (`NO_COPY`): it reads them once, when it
/// serialises the HEADERS frame, which the session brings about before the next request patches the array.
final class PreparedTemplate {
    /// The fields; one with the optional variable stands last, so that leaving it out is a smaller count.
    let fields: UnsafeMutableBufferPointer<nghttp2_nv>
    private let path: Int?
    private let apnsID: Int?
    private let contentLength: Int?
    /// The digits of `content-length`; 20 hold any 64-bit number.
    private let digits = UnsafeMutablePointer<UInt8>.allocate(capacity: 20)

    init(_ template: RequestTemplate) {
        let optional = template.fields.filter { $0.value == .apnsID }
        let ordered = template.fields.filter { $0.value != .apnsID } + optional
        precondition(optional.count <= 1, "a request template has two apns-id fields")
        fields = .allocate(capacity: ordered.count)
        for (index, field) in ordered.enumerated() {
            fields.initializeElement(at: index, to: field.withOwnedMemory())
        }
        path = ordered.firstIndex { $0.value == .path }
        apnsID = ordered.firstIndex { $0.value == .apnsID }
        contentLength = ordered.firstIndex { $0.value == .contentLength }
    }

    deinit {
        for (index, field) in fields.enumerated() {
            field.name.deallocate()
            if !isVarying(index) { field.value.deallocate() }
        }
        fields.deallocate()
        digits.deallocate()
    }

    /// Puts a request's own values in place.
    ///
    /// - Returns: How many of `fields` the request has.
    func patch(_ variables: RequestVariables) -> Int {
        if let path { setValue(at: path, variables.path) }
        if let contentLength { setContentLength(at: contentLength, variables.body.count) }
        guard let apnsID else { return fields.count }
        if variables.apnsID.isEmpty { return fields.count - 1 }
        setValue(at: apnsID, variables.apnsID)
        return fields.count
    }

    /// Gives the constant field of that name another value.
    func replaceConstant(named name: String, with value: String) {
        let index = fields.indices.first { !isVarying($0) && fields[$0].nameEquals(name) }
        guard let index else { preconditionFailure("the request template has no constant field named \(name)") }
        fields[index].value.deallocate()
        (fields[index].value, fields[index].valuelen) = ownedBytes(value)
    }

    private func isVarying(_ index: Int) -> Bool {
        index == path || index == apnsID || index == contentLength
    }

    private func setValue(at index: Int, _ value: UnsafeRawBufferPointer) {
        // nghttp2's type is not const, but it only reads.
        let bytes = value.baseAddress?.assumingMemoryBound(to: UInt8.self)
        fields[index].value = UnsafeMutablePointer(mutating: bytes)
        fields[index].valuelen = value.count
    }

    private func setContentLength(at index: Int, _ count: Int) {
        var rest = count
        var position = 20
        repeat {
            position -= 1
            digits[position] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        fields[index].value = digits + position
        fields[index].valuelen = 20 - position
    }
}

extension HeaderField {
    /// The field in memory of its own; a varying one has no value yet.
    fileprivate func withOwnedMemory() -> nghttp2_nv {
        precondition(name == name.lowercased(), "header field name \(name) is not in lower case")
        var flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        if indexing == .neverIndexed { flags |= NGHTTP2_NV_FLAG_NO_INDEX.rawValue }
        let (nameBytes, nameCount) = ownedBytes(name)
        var field = nghttp2_nv(
            name: nameBytes,
            value: nil,
            namelen: nameCount,
            valuelen: 0,
            flags: UInt8(truncatingIfNeeded: flags)
        )
        if case .constant(let constant) = value { (field.value, field.valuelen) = ownedBytes(constant) }
        return field
    }
}

extension nghttp2_nv {
    fileprivate func nameEquals(_ other: String) -> Bool {
        UnsafeBufferPointer(start: name, count: namelen).elementsEqual(other.utf8)
    }
}

/// A copy of the text's bytes that the caller deallocates.
private func ownedBytes(_ text: String) -> (UnsafeMutablePointer<UInt8>, Int) {
    let utf8 = Array(text.utf8)
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(utf8.count, 1))
    _ = memory.initialize(from: utf8)
    guard let base = memory.baseAddress else {
        preconditionFailure("allocation of \(utf8.count) bytes gave no address")
    }
    return (base, utf8.count)
}
