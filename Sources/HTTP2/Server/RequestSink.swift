/// Holds the fields of a request to the rules of RFC 9113, sections 8.2 and 8.3.1, and keeps those that are captured.
struct RequestSink: HeaderSink {
    private let names: Unmanaged<HeaderNames>
    private let stream: UnsafeMutablePointer<ServerStream>
    private let keepsValues: Bool
    private let isTrailer: Bool
    private var isPastPseudo: Bool
    private(set) var isValid = true

    /// - Parameter names: Outlive the sink.
    init(
        names: HeaderNames,
        stream: UnsafeMutablePointer<ServerStream>,
        keepsValues: Bool,
        isTrailer: Bool
    ) {
        self.names = Unmanaged.passUnretained(names)
        self.stream = stream
        self.keepsValues = keepsValues
        self.isTrailer = isTrailer
        isPastPseudo = isTrailer
    }

    @inline(__always)
    func kind(ofName name: UnsafeRawBufferPointer, staticIndex: UInt8) -> UInt8 {
        names._withUnsafeGuaranteedRef {
            staticIndex == 0 ? $0.kind(of: name) : $0.kind(ofStatic: staticIndex)
        }
    }

    @inline(__always)
    mutating func take(_ field: DecodedField) {
        guard isValid else { return }
        guard field.isSound else {
            isValid = false
            return
        }
        if field.kind < HeaderNames.pseudo.count {
            takePseudo(field)
        } else {
            isPastPseudo = true
            if field.kind < 32 { keep(field, at: Int(field.kind)) } else if field.kind < .max { takeRuled(field) }
        }
    }

    /// Each once, in front of everything else, and not in trailers.
    @inline(__always)
    private mutating func takePseudo(_ field: DecodedField) {
        if isPastPseudo || stream.pointee.present & (1 << UInt32(field.kind)) != 0 {
            isValid = false
        } else {
            keep(field, at: Int(field.kind))
        }
    }

    private mutating func takeRuled(_ field: DecodedField) {
        switch field.kind {
        case FieldKind.host: takeHost(field)
        case FieldKind.contentLength:
            if !isTrailer { takeContentLength(field) }
        case FieldKind.te:
            if !field.value.equals("trailers") { isValid = false }
            if let place = names._withUnsafeGuaranteedRef({ $0.tePlace }) { keep(field, at: place) }
        default: isValid = false
        }
    }

    /// `host` may stand in for `:authority`, and must not contradict it.
    private mutating func takeHost(_ field: DecodedField) {
        guard keepsValues, let known = stream.pointee.value(at: HeaderNames.authority) else {
            return keep(field, at: HeaderNames.authority)
        }
        if !known.elementsEqual(field.value) { isValid = false }
    }

    /// Section 8.1.1; RFC 9110, section 8.6.
    private mutating func takeContentLength(_ field: DecodedField) {
        guard stream.pointee.contentLength < 0, let length = field.value.decimal else {
            isValid = false
            return
        }
        stream.pointee.contentLength = length
        if let place = names._withUnsafeGuaranteedRef({ $0.contentLengthPlace }) { keep(field, at: place) }
    }

    @inline(__always)
    private func keep(_ field: DecodedField, at place: Int) {
        if isTrailer { return }
        stream.pointee.keep(field, at: place, keepsValue: keepsValues)
    }

    /// Whether the header, which has come to its end, is well formed.
    func isComplete(_ isCut: Bool) -> Bool {
        guard isValid else { return false }
        if isTrailer { return true }
        let present = stream.pointee.present
        let method: UInt32 = 1 << UInt32(HeaderNames.method)
        let target: UInt32 = 1 << UInt32(HeaderNames.path) | 1 << UInt32(HeaderNames.scheme)
        if !keepsValues || isCut { return present & (method | target) == method | target }
        if stream.pointee.value(at: HeaderNames.method)?.equals("CONNECT") == true {
            // Section 8.5: neither path nor scheme.
            return present & target == 0 && present & (1 << UInt32(HeaderNames.authority)) != 0
        }
        return present & (method | target) == method | target && hasSoundTarget
    }

    /// Section 8.3.1: a path is absolute, or an asterisk in OPTIONS.
    private var hasSoundTarget: Bool {
        guard let path = stream.pointee.value(at: HeaderNames.path), let first = path.first,
            let method = stream.pointee.value(at: HeaderNames.method), !method.isEmpty,
            let scheme = stream.pointee.value(at: HeaderNames.scheme), !scheme.isEmpty
        else { return false }
        return first == UInt8(ascii: "/") || path.equals("*") && method.equals("OPTIONS")
    }
}

/// Takes the fields of a block that nobody waits for; their names enter the table with what they mean all the same.
struct SkippingSink: HeaderSink {
    let names: HeaderNames

    func kind(ofName name: UnsafeRawBufferPointer, staticIndex: UInt8) -> UInt8 {
        staticIndex == 0 ? names.kind(of: name) : names.kind(ofStatic: staticIndex)
    }

    func take(_ field: DecodedField) {}
}
