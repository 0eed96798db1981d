import Glibc

/// A thread that runs one closure; joined exactly once.
package final class WorkerThread {
    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private var thread = pthread_t()
    private var isJoined = false

    /// Starts the thread.
    package init(_ body: @escaping @Sendable () -> Void) throws(RunError) {
        let box = Unmanaged.passRetained(Box(body))
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            },
            box.toOpaque()
        )
        guard code == 0 else {
            box.release()
            throw .system("a worker thread can't be started: \(String(cString: strerror(code)))")
        }
    }

    /// Waits until the closure has returned.
    package func join() {
        precondition(!isJoined, "a worker thread was joined twice")
        isJoined = true
        pthread_join(thread, nil)
    }
}
