internal import CNGHTTP2

/// A response template as `nghttp2_nv` fields, and a second array in which one answer at a time is put together.
///
/// nghttp2 copies the array when an answer is submitted, but not the values (`NO_COPY`): constant ones lie here for as
/// long as the session lives, those of one answer in its stream's `answer` buffer until the stream is closed.
final class PreparedResponse {
    let body: UnsafeRawBufferPointer
    private let fields: UnsafeMutableBufferPointer<nghttp2_nv>
    private let values: [ResponseValue]
    private let hasVariables: Bool
    private let patched: UnsafeMutableBufferPointer<nghttp2_nv>
    private let digits = DecimalDigits()

    init(_ template: ResponseTemplate) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: template.body.count, alignment: 1)
        copy.copyBytes(from: template.body)
        body = UnsafeRawBufferPointer(copy)
        values = template.fields.map(\.value)
        fields = .allocate(capacity: values.count)
        patched = .allocate(capacity: values.count)
        var variables = 0
        for (index, field) in template.fields.enumerated() {
            var constant: String?
            if case .constant(let value) = field.value { constant = value } else { variables += 1 }
            fields.initializeElement(at: index, to: nghttp2_nv(owning: field.name, constant, field.indexing))
        }
        hasVariables = variables > 0
    }

    deinit {
        for (index, field) in fields.enumerated() {
            if case .constant = values[index] {
                field.freeOwned(withValue: true)
            } else {
                field.freeOwned(withValue: false)
            }
        }
        fields.deallocate()
        patched.deallocate()
        body.deallocate()
    }

    /// The fields of one answer; valid until the next call.
    ///
    /// What varies is copied into the stream.
    func fields(
        for variables: ResponseVariables,
        in stream: UnsafeMutablePointer<ServerStream>
    ) -> UnsafeBufferPointer<nghttp2_nv> {
        if !hasVariables { return UnsafeBufferPointer(fields) }
        var count = 0
        for (index, value) in values.enumerated() {
            var field = fields[index]
            if case .constant = value {
            } else {
                let variable = self.variable(value, variables, bodyCount: stream.pointee.answerBody.count)
                if variable.isEmpty { continue }
                field.borrow(stream.pointee.answer.appendInReserve(variable))
            }
            patched.initializeElement(at: count, to: field)
            count += 1
        }
        return UnsafeBufferPointer(rebasing: patched[..<count])
    }

    private func variable(
        _ value: ResponseValue,
        _ variables: ResponseVariables,
        bodyCount: Int
    ) -> UnsafeRawBufferPointer {
        switch value {
        case .constant: preconditionFailure("a constant field has no variable")
        case .apnsID: variables.apnsID
        case .apnsUniqueID: variables.apnsUniqueID
        case .retryAfter: variables.retryAfter
        case .contentLength: digits.write(bodyCount)
        }
    }
}
