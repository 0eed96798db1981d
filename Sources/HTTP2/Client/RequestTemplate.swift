/// Where the value of a request's header field comes from.
package enum HeaderValue: Hashable, Sendable {
    /// The same in every request made from the template, until `replaceField`.
    case constant(String)
    /// `RequestVariables.path`.
    case path
    /// `RequestVariables.apnsID`; the field is left out of a request whose variable is empty.
    case apnsID
    /// The number of bytes in `RequestVariables.body`, in decimal.
    case contentLength
}

/// How a header field may be kept by compression contexts.
package enum HeaderIndexing: Hashable, Sendable {
    /// The field repeats: it may enter the dynamic table (RFC 7541, section 6.2.1).
    case indexed
    /// The field must never enter a dynamic table, here or at an intermediary (RFC 7541, section 6.2.3).
    case neverIndexed
}

/// One header field of a request template.
package struct HeaderField: Hashable, Sendable {
    /// In lower case (RFC 9113, section 8.2); pseudo-header fields with their colon.
    package var name: String
    package var value: HeaderValue
    package var indexing: HeaderIndexing

    /// A field that is the same in every request.
    package init(_ name: String, _ value: String, indexing: HeaderIndexing = .indexed) {
        self.init(name, .constant(value), indexing: indexing)
    }

    /// A field; one that varies from push to push is never indexed unless told otherwise.
    package init(_ name: String, _ value: HeaderValue, indexing: HeaderIndexing = .neverIndexed) {
        self.name = name
        self.value = value
        self.indexing = indexing
    }
}

/// The header fields of a kind of request, laid out once per connection and used for every push of that kind.
///
/// Fields stand in the order in which they go out, pseudo-header fields first (RFC 9113, section 8.3). Of each
/// varying source (`path`, `apnsID`, `contentLength`) there may be one field.
package struct RequestTemplate: Hashable, Sendable {
    package var fields: [HeaderField]

    package init(fields: [HeaderField]) {
        self.fields = fields
    }
}

/// A template that a session has laid out; valid for that session only.
package struct TemplateID: Hashable, Sendable {
    let index: Int32
}

/// What one request has of its own.
///
/// The session keeps the pointers, not copies: the memory stays valid and unchanged until the request's `.closed`
/// event, or until the session is released. Its owner is the caller's slot.
@usableFromInline  // Without it the compiler does not inline `init` into other rooms, whatever that itself says.
package struct RequestVariables: BitwiseCopyable {
    /// The value of `:path`; not empty.
    @usableFromInline package var path: UnsafeRawBufferPointer
    /// The value of `apns-id`; empty when the field is left out.
    @usableFromInline package var apnsID: UnsafeRawBufferPointer
    /// The body; when empty the request ends with its HEADERS frame.
    @usableFromInline package var body: UnsafeRawBufferPointer

    @inlinable
    package init(
        path: UnsafeRawBufferPointer,
        apnsID: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) {
        self.path = path
        self.apnsID = apnsID
        self.body = body
    }
}
