import Synchronization

/// Tells all workers of a lane that one of them has met what halts it; read once a turn.
final class LaneHaltSignal: Sendable {
    private let flag = Atomic<Bool>(false)

    var isGiven: Bool { flag.load(ordering: .relaxed) }

    func give() { flag.store(true, ordering: .relaxed) }
}
