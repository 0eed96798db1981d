import Push

/// The bodies of FCM's refusals.
///
/// Shapes: Google's `google.rpc.Status` as JSON with `details`. Texts: the ErrorCode reference and bodies posted in
/// public reports (beste/firebase-php#308 for the recipient, firebase/firebase-admin-go#580 for the size,
/// firebase/firebase-admin-go#719 for the project's quota).
struct FCMBodies: Sendable {
    let style: FCMBodyStyle
    let projectNumber: String
    /// For the project's quota.
    let quota: Int

    /// The body of a refusal that is the same whatever the request was; nil for those that quote it.
    func fixed(_ reason: FCMReason) -> [UInt8]? {
        switch reason {
        case .missingCredentials, .invalidCredentials, .expiredCredentials:
            credentials(reason)
        case .insufficientScope:
            error(
                reason,
                status: "PERMISSION_DENIED",
                message: "Request had insufficient authentication scopes.",
                details: [errorInfo(reason, domain: "googleapis.com", metadata: Self.method)]
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
        case .senderIDMismatch: service(reason, "SenderId mismatch")
        case .unregistered: service(reason, "Requested entity was not found.")
        case .projectQuota: projectQuota
        case .badGateway: FrontEndPage.badGateway
        case .thirdPartyAuth: service(reason, "Auth error from APNS or Web Push Service", [apnsError])
        case .deviceQuota: service(reason, "Device message rate exceeded.", quotaFailure("device"))
        case .topicQuota: service(reason, "Topic quota exceeded.", quotaFailure("topic"))
        case .internalError: service(reason, "Internal error encountered.")
        case .unavailable: service(reason, "The service is currently unavailable.")
        case .unspecified: service(reason, "Unknown error.")
        case .notFound, .permissionDenied, .invalidBody, .invalidField:
            nil
        }
    }

    /// A body that breaks the schema or one of FCM's rules about a field.
    func problem(_ problem: BodyProblem, in body: UnsafeRawBufferPointer) -> [UInt8] {
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
    func permissionDenied(project: String) -> [UInt8] {
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

    private func credentials(_ reason: FCMReason) -> [UInt8] {
        let start =
            reason == .missingCredentials
            ? "Request is missing required authentication credential."
            : "Request had invalid authentication credentials."
        return error(
            reason,
            status: "UNAUTHENTICATED",
            message: start + " Expected OAuth 2 access token, login cookie or other valid authentication credential."
                + " See https://developers.google.com/identity/sign-in/web/devconsole-project.",
            details: [errorInfo(reason, domain: "googleapis.com", metadata: Self.method)]
        )
    }

    /// A refusal by the messaging service itself.
    private func invalid(_ field: String, _ sentence: String) -> [UInt8] {
        error(
            .invalidField,
            status: "INVALID_ARGUMENT",
            message: sentence,
            details: ordered(badRequest(field: field, sentence), fcmError(.invalidField))
        )
    }

    /// A refusal by the messaging service, with what it adds to its FcmError.
    private func service(_ reason: FCMReason, _ message: String, _ more: [JSONNode] = []) -> [UInt8] {
        let status = reason.code?.rpcStatus ?? ""
        return error(
            reason,
            status: status,
            message: message,
            details: more.reversed().reduce([fcmError(reason)], added)
        )
    }

    private func added(_ details: [JSONNode], _ other: JSONNode) -> [JSONNode] {
        style.putsFcmErrorFirst ? details + [other] : [other] + details
    }

    private func ordered(_ other: JSONNode, _ fcmError: JSONNode) -> [JSONNode] { added([fcmError], other) }

    /// The commonest 429: by the quota system in front of the service, with neither FcmError nor QuotaFailure.
    private var projectQuota: [UInt8] {
        let metadata = [
            ("quota_limit_value", "\(quota)"), ("consumer", "projects/\(projectNumber)"),
            ("quota_metric", "fcm.googleapis.com/send_requests"), ("quota_unit", "1/min/{project}"),
            ("service", "fcm.googleapis.com"), ("quota_location", "global"),
            ("quota_limit", "SendsPerMinutePerProject"),
        ]
        let link: [(name: String, value: JSONNode)] = [
            ("description", .text("Request a higher quota limit.")),
            ("url", .text("https://cloud.google.com/docs/quotas/help/request_increase")),
        ]
        return error(
            .projectQuota,
            status: "RESOURCE_EXHAUSTED",
            message: "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service "
                + "'fcm.googleapis.com' for consumer 'project_number:\(projectNumber)'.",
            details: [
                errorInfo(.projectQuota, domain: "googleapis.com", metadata: metadata.map { ($0.0, .text($0.1)) }),
                .object([
                    ("@type", .text("type.googleapis.com/google.rpc.Help")), ("links", .list([.object(link)])),
                ]),
            ]
        )
    }

    /// Which quota it was, where the style tells; what Google writes as the subject is not known.
    private func quotaFailure(_ subject: String) -> [JSONNode] {
        guard style.tellsQuotaFailure else { return [] }
        let violation: [(name: String, value: JSONNode)] = [
            ("subject", .text(subject)), ("description", .text("The \(subject) message rate is exceeded.")),
        ]
        return [
            .object([
                ("@type", .text("type.googleapis.com/google.rpc.QuotaFailure")),
                ("violations", .list([.object(violation)])),
            ])
        ]
    }

    private var apnsError: JSONNode {
        .object([
            ("@type", .text("type.googleapis.com/google.firebase.fcm.v1.ApnsError")), ("statusCode", .number(403)),
            ("reason", .text("InvalidProviderToken")),
        ])
    }

    private func error(
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

    private func fcmError(_ reason: FCMReason) -> JSONNode {
        .object([
            ("@type", .text("type.googleapis.com/google.firebase.fcm.v1.FcmError")),
            ("errorCode", .text(reason.label)),
        ])
    }

    private func errorInfo(
        _ reason: FCMReason,
        domain: String,
        metadata: [(name: String, value: JSONNode)]
    ) -> JSONNode {
        .object([
            ("@type", .text("type.googleapis.com/google.rpc.ErrorInfo")), ("reason", .text(reason.label)),
            ("domain", .text(domain)), ("metadata", .object(metadata)),
        ])
    }

    private func badRequest(field: String, _ description: String) -> JSONNode {
        var violation: [(name: String, value: JSONNode)] = [("description", .text(description))]
        if !field.isEmpty { violation.insert(("field", .text(field)), at: 0) }
        return .object([
            ("@type", .text("type.googleapis.com/google.rpc.BadRequest")),
            ("fieldViolations", .list([.object(violation)])),
        ])
    }

    /// Where the syntax broke, as the front end shows it: some of the text, and a mark under its first character.
    private func excerpt(of body: UnsafeRawBufferPointer, at problem: BodyProblem) -> String {
        guard case .malformed(let offset) = problem.kind, offset < body.count else { return "" }
        return "\n" + String(decoding: body[offset...].prefix(40), as: UTF8.self) + "\n^"
    }
}
