package import Hosts

/// What a mock has to say when it ends: one line of JSON.
package struct MockSummary: Codable, Sendable, Equatable {
    /// How often a host gave an answer.
    package struct AnswerCount: Codable, Sendable, Equatable {
        package var host: String
        package var status: Int
        /// The reason as a sender finds it in the body; empty for an accepted push.
        package var reason: String
        package var count: UInt64
    }

    /// The connections of a host.
    package struct ConnectionCount: Codable, Sendable, Equatable {
        package var host: String
        package var accepted: UInt64
        /// How many of them finished their TLS handshake.
        package var secured: UInt64
        /// The most that were open at one time.
        package var mostOpen: UInt64
        /// Closed at once because there were too many.
        package var turnedAway: UInt64
        /// Ended for breaking TLS or HTTP.
        package var faulty: UInt64
    }

    /// Names the line, so that a reader can tell it from any other.
    package var pushbench = "mock-summary"
    package var answers: [AnswerCount]
    package var connections: [ConnectionCount]
    /// Answers that nobody was there to take when they came due.
    package var abandoned: UInt64
    /// Requests whose streams were refused, because there were too many.
    package var refusedStreams: UInt64
    /// What the sender did, and what of it breaks a rule.
    package var audit: AuditReport
    /// Messages that FCM accepted and holds back, because their devices had too many that replace one another.
    package var delayed: UInt64
    /// How often the signature of a provider token was checked: once for each token, as long as few are in use.
    package var signatureChecks: UInt64
    /// From start to end.
    package var seconds: Double
    /// CPU time of the process in that time.
    package var cpuSeconds: Double

    /// The answers of all hosts together.
    package var answered: UInt64 { answers.reduce(0) { $0 + $1.count } }
}
