/// Where a run stands, for a live line.
package struct RunProgress: Sendable, Equatable {
    /// The phase that is on; nil while connecting.
    package var phase: String?
    /// Nanoseconds since the phase began, and how long it lasts.
    package var phaseElapsed: Int64 = 0
    package var phaseDuration: Int64 = 0
    /// Nanoseconds since the run's start.
    package var elapsed: Int64 = 0
    package var planned: UInt64 = 0
    package var sent: UInt64 = 0
    package var delivered: UInt64 = 0
    package var rejected: UInt64 = 0
    package var failed: UInt64 = 0
    package var skipped: UInt64 = 0
    package var inFlight = 0
    package var backlog = 0

    package init() {}

    package var answered: UInt64 { delivered + rejected }
}
