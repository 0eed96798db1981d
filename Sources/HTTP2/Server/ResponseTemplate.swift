/// Where the value of a response's header field comes from.
package enum ResponseValue: Hashable, Sendable {
    /// The same in every response made from the template.
    case constant(String)
    /// The variable of that name in `ResponseVariables`; the field is left out of a response whose variable is empty.
    case apnsID
    case apnsUniqueID
    case retryAfter
    /// The number of bytes in the body, in decimal.
    case contentLength
}

/// One header field of a response template.
package struct ResponseField: Hashable, Sendable {
    /// In lower case; `:status` first.
    package var name: String
    package var value: ResponseValue
    package var indexing: HeaderIndexing

    /// A field that is the same in every response.
    package init(_ name: String, _ value: String, indexing: HeaderIndexing = .indexed) {
        self.init(name, .constant(value), indexing: indexing)
    }

    /// A field; one that varies is never indexed unless told otherwise.
    package init(_ name: String, _ value: ResponseValue, indexing: HeaderIndexing = .neverIndexed) {
        self.name = name
        self.value = value
        self.indexing = indexing
    }
}

/// A kind of answer, laid out once per session.
package struct ResponseTemplate: Hashable, Sendable {
    package var fields: [ResponseField]
    /// The body of answers that bring none of their own.
    package var body: [UInt8]

    package init(status: Int, fields: [ResponseField] = [], body: [UInt8] = []) {
        self.fields = [ResponseField(":status", "\(status)")] + fields
        self.body = body
    }
}

/// A response template that a session has laid out; valid for that session only.
package struct ResponseTemplateID: Hashable, Sendable {
    let index: Int32
}

/// What one answer has of its own; copied by `respond`, so the memory need not outlive the call.
package struct ResponseVariables {
    package var apnsID = UnsafeRawBufferPointer(start: nil, count: 0)
    package var apnsUniqueID = UnsafeRawBufferPointer(start: nil, count: 0)
    package var retryAfter = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Takes the place of the template's body when not empty.
    package var body = UnsafeRawBufferPointer(start: nil, count: 0)

    package init() {}

    var size: Int { apnsID.count + apnsUniqueID.count + retryAfter.count + body.count }
}
