/// Finds the token in an `authorization` header.
package enum BearerToken {
    /// The bytes after the scheme; nil where the header is absent, names another scheme, or has nothing after it.
    ///
    /// The scheme is taken in any case: a2 sends `Bearer` to APNs, most others `bearer` (RFC 9110, 11.1 allows both).
    package static func find(in authorization: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let scheme = 6
        guard authorization.count > scheme + 1, authorization[scheme].isBlank,
            authorization.part(0, scheme).equalsIgnoringCase("bearer")
        else { return nil }
        let token = authorization.part(scheme + 1, authorization.count).trimmed
        return token.isEmpty ? nil : token
    }
}
