/// One header field of a request that is laid out before a run.
package struct RequestField: Sendable, Equatable {
    /// What becomes of the field from push to push.
    package enum Role: Sendable, Equatable {
        /// The same for every push of the template.
        case fixed
        /// The request path, written per push.
        case path
        /// The `apns-id`, written per push.
        case apnsID
        /// The provider token or access token: replaced when a new one is signed.
        case authorization
    }

    /// The name, in lower case (RFC 9113, section 8.2.1).
    package let name: String
    /// The value; empty where the role says that it comes later.
    package let value: String
    /// What becomes of it per push.
    package let role: Role

    /// Whether the field must stay out of HPACK's dynamic table.
    ///
    /// Apple asks for `:path` and `authorization` as literals without indexing ("Sending notification requests to
    /// APNs"); an `apns-id` is never the same twice, so a table entry for it would only push out useful ones.
    package var neverIndexed: Bool { role != .fixed }

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
        self.role = .fixed
    }

    package init(_ name: String, role: Role) {
        self.name = name
        self.value = ""
        self.role = role
    }
}
