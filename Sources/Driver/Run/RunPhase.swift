import LoadPlan

/// One stretch of the run: a round of a phase of the profile.
struct RunPhase: Sendable {
    /// The phase's place in the profile; rounds of one phase share it.
    let index: Int
    /// Nanoseconds from the run's start.
    let start: Int64
    let end: Int64

    /// All stretches of a plan in order, without gaps.
    static func all(of plan: LoadPlan) -> [RunPhase] {
        plan.legs.map { RunPhase(index: $0.phase, start: $0.start, end: $0.end) }
    }
}
