package import Fleet

/// One kind of answer: what the host said and what a sender should do about it.
package struct Answer: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The host's word for it, as it came; empty for a success, `(empty)` or `(html)` where the host gave no reason.
    package let reason: String
    /// What to do.
    package let disposition: Disposition

    /// Whether a new token is to be made before anything else: the host calls the one that the push went out with expired.
    ///
    /// APNs says so in words. FCM has no word of its own for it; an access token that has ended early (a revoked key, a
    /// host whose clock is ahead) is answered like any other that is not accepted.
    package var asksForNewToken: Bool {
        (status == 403 && reason == APNsReason.expiredProviderToken.rawValue)
            || (status == 401 && reason == "UNAUTHENTICATED")
    }

    /// Whether the lane's own quota is used up, not that of one device or topic.
    ///
    /// FCM answers the project's minute without an FcmError (firebase/firebase-admin-go#719); `QUOTA_EXCEEDED` and APNs'
    /// `TooManyRequests` are about one device or topic.
    package var isLaneQuota: Bool {
        status == 429 && disposition == .retryLater && reason != FCMErrorCode.quotaExceeded.rawValue
            && reason != APNsReason.tooManyRequests.rawValue
    }

    package init(status: Int, reason: String, disposition: Disposition) {
        self.status = status
        self.reason = reason
        self.disposition = disposition
    }
}

/// Numbers the kinds of answer that one host gives, so that counting one costs an array index.
///
/// Index 0 is the plain success. Others are added the first time they are met (the only time that allocates). Unknown
/// reasons are kept as they came, cut at 128 bytes; a host that invents ever new ones fills the catalogue to its
/// limit, after which they share the entry `(more reasons)` of their status.
package struct AnswerCatalogue: Sendable {
    /// The index of a plain `200`.
    package static let success = 0

    private static let mostEntries = 512
    private static let longestReason = 128

    private let provider: Provider
    private var reasons: [[UInt8]] = [[]]
    /// The kinds met so far, by index.
    package private(set) var answers: [Answer] = [Answer(status: 200, reason: "", disposition: .delivered)]

    package init(provider: Provider) {
        self.provider = provider
    }

    /// Whether the answer of this index is a yes.
    package func isSuccess(_ index: Int) -> Bool {
        index == Self.success || answers[index].disposition == .delivered
    }

    /// The index of an answer, made from its status and the first bytes of its body.
    package mutating func index(status: Int, body: UnsafeRawBufferPointer) -> Int {
        if status == 200 { return Self.success }
        let found = ReasonParser.reason(in: body, from: provider)
        if let found {
            return index(status: status, reason: UnsafeRawBufferPointer(rebasing: found.prefix(Self.longestReason)))
        }
        let html = body.first { $0 != 0x20 && $0 != 0x0A } == UInt8(ascii: "<")
        let stand: StaticString = body.isEmpty ? "(empty)" : html ? "(html)" : "(no reason)"
        return index(
            status: status,
            reason: UnsafeRawBufferPointer(start: stand.utf8Start, count: stand.utf8CodeUnitCount)
        )
    }

    private mutating func index(status: Int, reason: UnsafeRawBufferPointer) -> Int {
        for index in answers.indices where answers[index].status == status && reasons[index].elementsEqual(reason) {
            return index
        }
        return add(status: status, reason: answers.count < Self.mostEntries ? Array(reason) : nil)
    }

    private mutating func add(status: Int, reason: [UInt8]?) -> Int {
        let bytes = reason ?? Array("(more reasons)".utf8)
        let text = String(decoding: bytes, as: UTF8.self)
        if reason == nil, let known = answers.firstIndex(where: { $0.status == status && $0.reason == text }) {
            return known
        }
        let disposition = Disposition(provider: provider, status: status, reason: text)
        answers.append(Answer(status: status, reason: text, disposition: disposition))
        reasons.append(bytes)
        return answers.count - 1
    }
}
