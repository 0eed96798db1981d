/// Where a run stands, for a live view; counts are from the run's start.
package struct RunProgress: Sendable, Equatable {
    /// One lane, all workers together.
    package struct Lane: Sendable, Equatable {
        package var name: String
        package var planned: UInt64 = 0
        package var sent: UInt64 = 0
        package var delivered: UInt64 = 0
        package var rejected: UInt64 = 0
        package var failed: UInt64 = 0
        package var skipped: UInt64 = 0
        package var inFlight = 0
        package var backlog = 0
        /// Percentiles of the response times of the last three seconds; nil where nothing was answered, or nobody watches.
        package var responseP50: Int64?
        package var responseP99: Int64?

        package init(name: String) {
            self.name = name
        }

        package var answered: UInt64 { delivered + rejected }
    }

    /// The phase that is on; nil while connecting.
    package var phase: String?
    /// Nanoseconds since the phase began, and how long it lasts.
    package var phaseElapsed: Int64 = 0
    package var phaseDuration: Int64 = 0
    /// Nanoseconds since the run's start, and how long its phases last together.
    package var elapsed: Int64 = 0
    package var duration: Int64 = 0
    package var lanes: [Lane] = []
    /// Every end but "delivered", at the end of the last second, where the run is watched.
    package var trouble: [OutcomeRow] = []
    /// What a verdict is made from, so far; lag is that of the worst worker and lane.
    package var lagP99: Int64 = 0
    package var longestStall: Int64 = 0
    package var clockStep: Int64 = 0
    package var backlogOverflowed = false
    /// The CPU time of the busiest worker in nanoseconds.
    package var workerCPU: Int64 = 0

    package init() {}

    package var planned: UInt64 { lanes.reduce(0) { $0 + $1.planned } }
    package var sent: UInt64 { lanes.reduce(0) { $0 + $1.sent } }
    package var answered: UInt64 { lanes.reduce(0) { $0 + $1.answered } }
    package var rejected: UInt64 { lanes.reduce(0) { $0 + $1.rejected } }
    package var failed: UInt64 { lanes.reduce(0) { $0 + $1.failed } }
    package var skipped: UInt64 { lanes.reduce(0) { $0 + $1.skipped } }
    package var inFlight: Int { lanes.reduce(0) { $0 + $1.inFlight } }
}
