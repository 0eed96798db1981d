/// How often each end was met in one lane and phase.
///
/// Answers are counted by their index in the lane's answer catalogue; merging goes by what the answer says, since two
/// workers may number the same reason differently.
package struct OutcomeCounts: Sendable, Equatable {
    /// By index of the catalogue that belongs to these counts.
    package private(set) var answers: [UInt64]
    /// By position in `LocalFailure.allCases`.
    package private(set) var failures: [UInt64]
    /// By position in `SkipCause.allCases`.
    package private(set) var skips: [UInt64]
    /// Still in flight at the end.
    package private(set) var unanswered: UInt64 = 0

    package init() {
        answers = Array(repeating: 0, count: 16)
        failures = Array(repeating: 0, count: LocalFailure.allCases.count)
        skips = Array(repeating: 0, count: SkipCause.allCases.count)
    }

    /// Counts one answer; grows only when the catalogue has.
    package mutating func addAnswer(_ index: Int, times: UInt64 = 1) {
        if index >= answers.count {
            answers.append(contentsOf: repeatElement(0, count: index + 16 - answers.count))
        }
        answers[index] += times
    }

    /// Counts one end that came without an answer.
    package mutating func add(_ end: PushEnd, times: UInt64 = 1) {
        switch end {
        case .answered(let index): addAnswer(index, times: times)
        case .failed(let cause): failures[Self.position(of: cause)] += times
        case .skipped(let cause): skips[Self.position(of: cause)] += times
        case .unanswered: unanswered += times
        }
    }

    /// The count of one local failure.
    package func count(of cause: LocalFailure) -> UInt64 { failures[Self.position(of: cause)] }

    /// The count of one skip cause.
    package func count(of cause: SkipCause) -> UInt64 { skips[Self.position(of: cause)] }

    private static func position(of cause: LocalFailure) -> Int {
        switch cause {
        case .connectionLost: 0
        case .streamRefused: 1
        case .streamReset: 2
        case .timedOut: 3
        case .protocolError: 4
        case .unreachable: 5
        }
    }

    private static func position(of cause: SkipCause) -> Int {
        switch cause {
        case .backlogFull: 0
        case .laneHalted: 1
        case .interrupted: 2
        case .loadEnded: 3
        case .quota: 4
        case .noStream: 5
        case .noToken: 6
        case .misshapenToken: 7
        }
    }
}
