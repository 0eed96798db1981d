internal import CNGHTTP2

/// A request template as an array of `nghttp2_nv` that is patched for each request and handed to nghttp2 as it stands.
///
/// Names and values are in memory owned here, or are the caller's variables, and are never copied by nghttp2
/// (`NO_COPY`): it reads them once, when it serialises the HEADERS frame, which the session brings about before the
/// next request patches the array.
final class PreparedTemplate {
    /// The fields; one with the optional variable stands last, so that leaving it out is a smaller count.
    let fields: UnsafeMutableBufferPointer<nghttp2_nv>
    private let path: Int?
    private let apnsID: Int?
    private let contentLength: Int?
    private let digits = DecimalDigits()

    init(_ template: RequestTemplate) {
        let optional = template.fields.filter { $0.value == .apnsID }
        let ordered = template.fields.filter { $0.value != .apnsID } + optional
        precondition(optional.count <= 1, "a request template has two apns-id fields")
        fields = .allocate(capacity: ordered.count)
        for (index, field) in ordered.enumerated() {
            var constant: String?
            if case .constant(let value) = field.value { constant = value }
            fields.initializeElement(at: index, to: nghttp2_nv(owning: field.name, constant, field.indexing))
        }
        path = ordered.firstIndex { $0.value == .path }
        apnsID = ordered.firstIndex { $0.value == .apnsID }
        contentLength = ordered.firstIndex { $0.value == .contentLength }
    }

    deinit {
        for (index, field) in fields.enumerated() { field.freeOwned(withValue: !isVarying(index)) }
        fields.deallocate()
    }

    /// Puts a request's own values in place.
    ///
    /// - Returns: How many of `fields` the request has.
    func patch(_ variables: RequestVariables) -> Int {
        if let path { fields[path].borrow(variables.path) }
        if let contentLength { fields[contentLength].borrow(digits.write(variables.body.count)) }
        guard let apnsID else { return fields.count }
        if variables.apnsID.isEmpty { return fields.count - 1 }
        fields[apnsID].borrow(variables.apnsID)
        return fields.count
    }

    /// Gives the constant field of that name another value.
    func replaceConstant(named name: String, with value: String) {
        let index = fields.indices.first { !isVarying($0) && fields[$0].nameEquals(name) }
        guard let index else { preconditionFailure("the request template has no constant field named \(name)") }
        fields[index].replaceOwned(value)
    }

    private func isVarying(_ index: Int) -> Bool {
        index == path || index == apnsID || index == contentLength
    }
}
