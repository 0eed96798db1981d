/// The bodies of FCM's refusals.
///
/// Shapes: Google's `google.rpc.Status` as JSON with `details`. Texts: the ErrorCode reference and bodies posted in
/// public reports (beste/firebase-php#308 for the recipient, firebase/firebase-admin-go#580 for the size). In
/// `details` a BadRequest stands before the FcmError, as seen there.
enum FCMBodies {
    /// The body of a refusal that is the same whatever the request was; nil for those that quote it.
    static func fixed(_ reason: FCMReason) -> [UInt8]? {
        switch reason {
        case .missingCredentials, .invalidCredentials, .expiredCredentials:
            credentials(reason)
        case .insufficientScope:
            error(
                reason,
                status: "PERMISSION_DENIED",
                message: "Request had insufficient authentication scopes.",
                details: [errorInfo(reason, domain: "googleapis.com", metadata: method)]
            )
        case .bodyTooLarge:
            error(reason, status: "INVALID_ARGUMENT", message: "Request payload size exceeds the limit.", details: [])
        case .missingRecipient:
            invalid("message", "Recipient of the message is not set.")
        case .messageTooLarge:
            invalid("message", "Android message is too big")
        case .invalidToken:
            invalid("message.token", "The registration token is not a valid FCM registration token")
        case .invalidTopic:
            invalid("message.topic", "Invalid topic name or condition")
        case .senderIDMismatch:
            error(reason, status: "PERMISSION_DENIED", message: "SenderId mismatch", details: [fcmError(reason)])
        case .unregistered:
            error(
                reason,
                status: "NOT_FOUND",
                message: "Requested entity was not found.",
                details: [fcmError(reason)]
            )
        case .notFound, .permissionDenied, .invalidBody, .invalidField:
            nil
        }
    }

    /// A body that breaks the schema or one of FCM's rules about a field.
    static func problem(_ problem: BodyProblem, in body: UnsafeRawBufferPointer) -> [UInt8] {
        guard problem.isFromMessaging else {
            let sentence = problem.sentence + excerpt(of: body, at: problem)
            return error(
                .invalidBody,
                status: "INVALID_ARGUMENT",
                message: sentence,
                details: [badRequest(field: problem.field, sentence)]
            )
        }
        return invalid(problem.field, problem.sentence)
    }

    /// An access token of a project that may not send for this one.
    static func permissionDenied(project: String) -> [UInt8] {
        let resource = "//cloudresourcemanager.googleapis.com/projects/\(project)"
        let permission = "cloudmessaging.messages.create"
        return error(
            .permissionDenied,
            status: "PERMISSION_DENIED",
            message: "Permission '\(permission)' denied on resource '\(resource)' (or it may not exist).",
            details: [
                errorInfo(
                    .permissionDenied,
                    domain: "cloudresourcemanager.googleapis.com",
                    metadata: [("permission", .text(permission)), ("resource", .text("projects/\(project)"))]
                )
            ]
        )
    }

    private static let method: [(name: String, value: JSONNode)] = [
        ("method", .text("google.firebase.fcm.v1.FcmService.SendMessage")),
        ("service", .text("fcm.googleapis.com")),
    ]

    private static func credentials(_ reason: FCMReason) -> [UInt8] {
        let start =
            reason == .missingCredentials
            ? "Request is missing required authentication credential."
            : "Request had invalid authentication credentials."
        return error(
            reason,
            status: "UNAUTHENTICATED",
            message: start + " Expected OAuth 2 access token, login cookie or other valid authentication credential."
                + " See https://developers.google.com/identity/sign-in/web/devconsole-project.",
            details: [errorInfo(reason, domain: "googleapis.com", metadata: method)]
        )
    }

    /// A refusal by the messaging service itself.
    private static func invalid(_ field: String, _ sentence: String) -> [UInt8] {
        error(
            .invalidField,
            status: "INVALID_ARGUMENT",
            message: sentence,
            details: [badRequest(field: field, sentence), fcmError(.invalidField)]
        )
    }

    private static func error(
        _ reason: FCMReason,
        status: String,
        message: String,
        details: [JSONNode]
    ) -> [UInt8] {
        var members: [(name: String, value: JSONNode)] = [
            ("code", .number(reason.status)), ("message", .text(message)), ("status", .text(status)),
        ]
        if !details.isEmpty { members.append(("details", .list(details))) }
        return JSONNode.object([("error", .object(members))]).printed
    }

    private static func fcmError(_ reason: FCMReason) -> JSONNode {
        .object([
            ("@type", .text("type.googleapis.com/google.firebase.fcm.v1.FcmError")),
            ("errorCode", .text(reason.label)),
        ])
    }

    private static func errorInfo(
        _ reason: FCMReason,
        domain: String,
        metadata: [(name: String, value: JSONNode)]
    ) -> JSONNode {
        .object([
            ("@type", .text("type.googleapis.com/google.rpc.ErrorInfo")), ("reason", .text(reason.label)),
            ("domain", .text(domain)), ("metadata", .object(metadata)),
        ])
    }

    private static func badRequest(field: String, _ description: String) -> JSONNode {
        var violation: [(name: String, value: JSONNode)] = [("description", .text(description))]
        if !field.isEmpty { violation.insert(("field", .text(field)), at: 0) }
        return .object([
            ("@type", .text("type.googleapis.com/google.rpc.BadRequest")),
            ("fieldViolations", .list([.object(violation)])),
        ])
    }

    /// Where the syntax broke, as the front end shows it: some of the text, and a mark under its first character.
    private static func excerpt(of body: UnsafeRawBufferPointer, at problem: BodyProblem) -> String {
        guard case .malformed(let offset) = problem.kind, offset < body.count else { return "" }
        return "\n" + String(decoding: body[offset...].prefix(40), as: UTF8.self) + "\n^"
    }
}
