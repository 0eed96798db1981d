/// One thing that was looked at before a run.
package struct PreflightCheck: Sendable, Equatable, Codable {
    package enum Outcome: String, Sendable, Codable {
        case ok
        /// The run can be done, but somebody should know.
        case warning
        /// The run can't be done, or would measure something else.
        case failed
    }

    /// A few stable words, such as `apns key`.
    package var name: String
    package var outcome: Outcome
    /// What was found, in one line.
    package var detail: String

    package init(_ name: String, _ outcome: Outcome, _ detail: String) {
        self.name = name
        self.outcome = outcome
        self.detail = detail
    }
}
