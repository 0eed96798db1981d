/// A bound that a run has to keep, such as `p(99) < 250ms` for `fcm.response`.
package struct Threshold: Sendable, Equatable {
    package var subject: ThresholdSubject
    package var condition: ThresholdCondition
    /// Nanoseconds, whole seconds: the condition must hold in every window of this length; nil: over the whole load.
    package var over: Int64?
    /// Nanoseconds of measured load from which on a broken condition ends the run early; nil: it never does.
    package var abortAfter: Int64?

    package init(subject: ThresholdSubject, condition: ThresholdCondition, over: Int64? = nil, abortAfter: Int64? = nil)
    {
        self.subject = subject
        self.condition = condition
        self.over = over
        self.abortAfter = abortAfter
    }
}

/// What a threshold is about: a metric of one lane, or of all together.
package struct ThresholdSubject: Sendable, Equatable {
    /// The word for all lanes together.
    package static let all = "all"

    /// A lane's name, or ``all``.
    package var lane: String
    package var metric: ThresholdMetric
    /// The part of the metric that counts; nil for the whole.
    package var filter: ThresholdFilter?

    package init(lane: String, metric: ThresholdMetric, filter: ThresholdFilter? = nil) {
        self.lane = lane
        self.metric = metric
        self.filter = filter
    }

    /// As in a profile: `apns-production.outcomes{reason=Unregistered}`.
    package var text: String {
        "\(lane).\(metric.rawValue)" + (filter.map { "{\($0.key.rawValue)=\($0.value)}" } ?? "")
    }
}

/// What is measured; raw values are the words of a profile.
package enum ThresholdMetric: String, Sendable, CaseIterable {
    case response, service, lag
    case streamWait = "stream_wait"
    /// From a batch's first due to its last answer.
    case batch
    /// Ends of pushes; without a filter all but `delivered`.
    case outcomes
    /// Answered pushes: over the load, or the slowest and fastest whole second.
    case rate
    /// Opened in the whole run, or open at the end of a second.
    case connections
    /// On the lane's connections in the whole run, TLS and handshakes included.
    case bytes
    /// Of the generator's process in the whole run.
    case cpu
    /// By the generator in the steady part of the run, those inside C libraries not counted.
    case allocations
}

/// One property that a part of a metric shares.
package struct ThresholdFilter: Sendable, Equatable {
    package enum Key: String, Sendable, CaseIterable {
        /// What the host or we ourselves said: `Unregistered`, `timed out`.
        case reason
        /// The HTTP status.
        case status
        /// What a sender should do, or `failed`, `skipped`, `unanswered`.
        case disposition
        /// `out` or `in`.
        case direction
    }

    /// The words that ``Key/disposition`` may have.
    package static let dispositions = [
        "delivered", "removeDevice", "invalidDevice", "configurationFault", "retryLater", "rejected", "failed",
        "skipped",
        "unanswered",
    ]

    package var key: Key
    package var value: String

    package init(_ key: Key, _ value: String) {
        self.key = key
        self.value = value
    }
}

extension ThresholdMetric {
    /// The filters that the metric knows.
    package var filterKeys: [ThresholdFilter.Key] {
        switch self {
        case .outcomes: [.reason, .status, .disposition]
        case .bytes: [.direction]
        default: []
        }
    }

    /// Whether the timeline holds the metric by the second, so that it can be judged in windows.
    package var hasWindows: Bool { self == .response || self == .rate }

    /// Whether it is known while a run goes on, so that it can end one.
    package var isKnownLive: Bool {
        switch self {
        case .response, .service, .lag, .streamWait, .batch, .outcomes, .rate: true
        case .connections, .bytes, .cpu, .allocations: false
        }
    }

    /// The subjects that may stand before it: a process, unlike a lane, has no part in another's CPU.
    package var lanes: [String] {
        switch self {
        case .cpu, .allocations: [ThresholdSubject.all]
        case .batch: [ThresholdSubject.all, LaneName.fcm]
        default: [ThresholdSubject.all] + LaneName.all
        }
    }
}
