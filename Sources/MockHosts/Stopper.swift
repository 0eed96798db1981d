import Synchronization
import Transport

/// Ends a server from any thread.
package final class Stopper: Sendable {
    private let stopped = Atomic(false)
    private let waker: Waker

    init(_ waker: Waker) {
        self.waker = waker
    }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// The server finishes its turn, closes its connections and returns from `run`.
    package func stop() {
        stopped.store(true, ordering: .releasing)
        waker.wakeUp()
    }
}
