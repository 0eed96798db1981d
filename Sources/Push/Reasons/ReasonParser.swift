package import Fleet

/// Finds the reason in the body of a refusal, without copying or allocating.
///
/// The search is by key name in the raw text. A key quoted inside a JSON string appears there as `\"key\"`, which the
/// pattern `"key"` never matches, so a host's prose can't be taken for its reason.
package enum ReasonParser {
    /// The bytes of the reason, or nil where the body has none (empty, HTML, JSON of another shape).
    ///
    /// APNs: the value of `reason`. FCM: `errorCode` of the FcmError detail; else `reason` of the ErrorInfo detail (the
    /// project quota's 429 and missing credentials come so); else `status` of the error.
    package static func reason(in body: UnsafeRawBufferPointer, from provider: Provider) -> UnsafeRawBufferPointer? {
        switch provider {
        case .apns:
            value(of: "\"reason\"", in: body)
        case .fcm:
            value(of: "\"errorCode\"", in: body) ?? value(of: "\"reason\"", in: body)
                ?? value(of: "\"status\"", in: body)
        }
    }

    private static func value(of key: StaticString, in body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard var position = endOfFirst(key, in: body) else { return nil }
        guard skip(UInt8(ascii: ":"), at: &position, in: body), skip(UInt8(ascii: "\""), at: &position, in: body) else {
            return nil
        }
        guard let end = body[position...].firstIndex(of: UInt8(ascii: "\"")), end > position else { return nil }
        return UnsafeRawBufferPointer(rebasing: body[position..<end])
    }

    private static func endOfFirst(_ key: StaticString, in body: UnsafeRawBufferPointer) -> Int? {
        let length = key.utf8CodeUnitCount
        guard body.count >= length else { return nil }
        let wanted = UnsafeRawBufferPointer(start: key.utf8Start, count: length)
        for start in 0...(body.count - length)
        where body[start] == wanted[0] && body[start..<start + length].elementsEqual(wanted) {
            return start + length
        }
        return nil
    }

    /// Steps over white space and then `wanted`; false where something else stands there.
    private static func skip(_ wanted: UInt8, at position: inout Int, in body: UnsafeRawBufferPointer) -> Bool {
        while position < body.count {
            let byte = body[position]
            position += 1
            switch byte {
            case wanted: return true
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default: return false
            }
        }
        return false
    }
}
