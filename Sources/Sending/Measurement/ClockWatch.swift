/// Watches whether the wall clock is set while a run goes on.
///
/// Both clocks are slewed alike (clock_gettime(2)), so they only part when one is set. Then times of day in the results
/// can't be trusted, and a machine on which time jumps may have stood still as well.
package struct ClockWatch: Sendable, Equatable {
    private var offset: Int64?
    /// The largest difference between the progress of the two clocks since they were first read, in nanoseconds: with the
    /// sign of the wall clock's step.
    package private(set) var largestStep: Int64 = 0

    package init() {}

    /// Both clocks were read, one right after the other.
    package mutating func observe(wall: Int64, monotonic: Int64) {
        let difference = wall - monotonic
        guard let offset else {
            self.offset = difference
            return
        }
        let step = difference - offset
        if step.magnitude > largestStep.magnitude { largestStep = step }
    }
}
