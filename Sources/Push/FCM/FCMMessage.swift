/// One message for FCM, the same for many devices: the request body around the token.
///
/// Source: Firebase, REST resource `projects.messages`, method `send`.
package struct FCMMessage: Sendable, Equatable {
    /// The most messages that one batch may hold, as in the Admin SDKs' `sendEachForMulticast`.
    package static let mostPerBatch = 500
    /// The largest payload in bytes that FCM takes for one device.
    package static let payloadLimit = 4096

    /// The body's bytes before the token.
    package let prefix: [UInt8]
    /// The body's bytes after the token.
    package let suffix: [UInt8]

    /// Lays out `{"message":{"token":"…",<rest>}}`.
    ///
    /// - Parameters:
    ///   - rest: the other members of `message` as JSON text without the braces, for instance `"data":{"k":"v"}`.
    ///   - validateOnly: whether the host shall only check the message.
    package init(rest: String, validateOnly: Bool = false) {
        let flag = validateOnly ? "\"validate_only\":true," : ""
        prefix = Array("{\(flag)\"message\":{\"token\":\"".utf8)
        suffix = Array((rest.isEmpty ? "\"}}" : "\",\(rest)}}").utf8)
    }

    /// The length of a body for a token of the given length.
    package func bodyLength(tokenLength: Int) -> Int { prefix.count + tokenLength + suffix.count }

    /// Writes the body around a token and returns its length.
    ///
    /// The token's characters ([A-Za-z0-9_:-]) need no escaping in JSON.
    package func writeBody(token: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer) -> Int {
        let length = bodyLength(tokenLength: token.count)
        precondition(length <= destination.count, "an FCM body of \(length) bytes does not fit its slot")
        prefix.withUnsafeBytes { destination.copyMemory(from: $0) }
        UnsafeMutableRawBufferPointer(rebasing: destination[prefix.count...]).copyMemory(from: token)
        suffix.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: destination[(prefix.count + token.count)...]).copyMemory(from: $0)
        }
        return length
    }

    /// The header fields of a request, in the order in which they go out.
    package static func fields(authority: String, project: String) -> [RequestField] {
        [
            RequestField(":method", "POST"),
            RequestField(":scheme", "https"),
            RequestField(":authority", authority),
            RequestField(":path", "/v1/projects/\(project)/messages:send"),
            RequestField("authorization", role: .authorization),
            RequestField("content-type", "application/json"),
        ]
    }
}
