/// One push of the plan.
package struct PlannedPush: Sendable, Equatable {
    /// The push's index within its lane, over the whole run.
    package var push: UInt64
    /// The device's number within the lane: the push's own, unless a replay names another.
    package var ordinal: UInt64
    /// The batch's index within its lane; the same as `push` on a lane without batches.
    package var batch: UInt64
    /// Nanoseconds from the run's start.
    package var due: Int64
    /// The index of the phase in the profile.
    package var phase: Int

    init(push: UInt64, ordinal: UInt64? = nil, batch: UInt64, due: Int64, phase: Int) {
        self.push = push
        self.ordinal = ordinal ?? push
        self.batch = batch
        self.due = due
        self.phase = phase
    }
}

/// Pushes that are handed over together: one, or a batch.
package struct PlannedBatch: Sendable, Equatable {
    /// The index within the lane of the first push; the others follow it.
    package var firstPush: UInt64
    /// At least 1, at most the lane's batch size.
    package var count: Int
    /// The batch's index within its lane.
    package var batch: UInt64
    /// Nanoseconds from the run's start at which the first push, and so the whole batch, is due.
    package var due: Int64
    /// The index of the phase in the profile.
    package var phase: Int
    /// Whether the devices are those of ``PlanCursor/ordinals`` instead of the ones that the pushes' numbers choose.
    package var namesDevices = false
}
