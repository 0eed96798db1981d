/// What every request to FCM has in common.
///
/// Source: Firebase, REST resource `projects.messages`, method `send`.
package enum FCMMessage {
    /// The most messages that one batch may hold, as in the Admin SDKs' `sendEachForMulticast`.
    package static let mostPerBatch = 500

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
