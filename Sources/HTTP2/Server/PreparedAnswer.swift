/// A response template as the direct server session writes it: constant fields in the encoder's hands, and the names of
/// what varies laid out.
struct PreparedAnswer: BitwiseCopyable {
    enum Variable: UInt8 {
        case apnsID
        case apnsUniqueID
        case retryAfter
        case contentLength
    }

    /// A field that varies: its name as a literal that is never indexed.
    private struct Field: BitwiseCopyable {
        var variable: Variable
        var name: GrowingBuffer
    }

    /// The constant fields.
    let template: Int32
    /// The body of answers that bring none of their own; freed with this.
    let body: UnsafeMutableRawBufferPointer
    private let fields: UnsafeMutableBufferPointer<Field>
    /// An upper bound for the fields that vary, without their values.
    private var namesSize = 0

    init(_ template: ResponseTemplate, in encoder: inout HeaderEncoder) {
        var constants: [HeaderField] = []
        var varying: [Field] = []
        for field in template.fields {
            if case .constant(let value) = field.value {
                constants.append(HeaderField(field.name, value, indexing: field.indexing))
                continue
            }
            precondition(field.name == field.name.lowercased(), "header field name \(field.name) is not in lower case")
            var name = GrowingBuffer()
            let staticName = StaticTable.find(field.name, "").name
            name.append(contentsOf: HPACKCoding.literalName(field.name, index: staticName, .neverIndexed))
            varying.append(Field(variable: Self.variable(field.value), name: name))
            // 20 more for a length, or for the digits of content-length.
            namesSize += name.count + 20
        }
        self.template = encoder.prepare(RequestTemplate(fields: constants)).index
        fields = .allocate(capacity: varying.count)
        _ = fields.initialize(from: varying)
        body = .allocate(byteCount: template.body.count, alignment: 1)
        body.copyBytes(from: template.body)
    }

    func free() {
        for field in fields { field.name.free() }
        fields.deallocate()
        body.deallocate()
    }

    private static func variable(_ value: ResponseValue) -> Variable {
        switch value {
        case .constant: preconditionFailure("a constant field has no variable")
        case .apnsID: .apnsID
        case .apnsUniqueID: .apnsUniqueID
        case .retryAfter: .retryAfter
        case .contentLength: .contentLength
        }
    }

    /// An upper bound for what `writeVariables` writes.
    @inline(__always)
    func maximumSize(_ variables: ResponseVariables) -> Int {
        namesSize &+ variables.apnsID.count &+ variables.apnsUniqueID.count &+ variables.retryAfter.count
    }

    /// Writes the fields that vary; those without a value are left out.
    ///
    /// - Returns: How many bytes were written.
    @inline(__always)
    func writeVariables(
        _ variables: ResponseVariables,
        bodyCount: Int,
        to memory: UnsafeMutableRawPointer
    ) -> Int {
        var end = memory
        for field in fields {
            let value: UnsafeRawBufferPointer
            switch field.variable {
            case .apnsID: value = variables.apnsID
            case .apnsUniqueID: value = variables.apnsUniqueID
            case .retryAfter: value = variables.retryAfter
            case .contentLength:
                Self.copy(field.name.bytes(from: 0, count: field.name.count), to: &end)
                end += HPACKCoding.writeDecimal(bodyCount, to: end)
                continue
            }
            if value.isEmpty { continue }
            Self.copy(field.name.bytes(from: 0, count: field.name.count), to: &end)
            end += HPACKCoding.writeLength(value.count, to: end)
            Self.copy(value, to: &end)
        }
        return end - memory
    }

    @inline(__always)
    private static func copy(_ bytes: UnsafeRawBufferPointer, to end: inout UnsafeMutableRawPointer) {
        guard let source = bytes.baseAddress else { return }
        end.copyMemory(from: source, byteCount: bytes.count)
        end += bytes.count
    }
}
