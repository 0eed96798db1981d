import Glibc
import Synchronization

/// A mock on a thread of its own, for tests and benchmarks within one process.
///
/// Real runs give the mock a process, so that its work does not count as the sender's.
package final class MockThread: Sendable {
    /// Handed to the thread and back; only one side touches it at a time: the thread until it is joined.
    private final class Work: @unchecked Sendable {
        let server: MockServer
        var result: Result<MockSummary, MockError>?

        init(_ server: MockServer) {
            self.server = server
        }
    }

    private let stopper: Stopper
    private let work: Work
    private let thread: Mutex<pthread_t?>

    /// Begins to serve; the server belongs to the thread from now on and must not be touched any more.
    package init(running server: MockServer) throws(MockError) {
        stopper = server.stopper
        work = Work(server)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(work)
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                do throws(MockError) {
                    work.result = .success(try work.server.run())
                } catch {
                    work.result = .failure(error)
                }
                return nil
            },
            argument.toOpaque()
        )
        guard code == 0 else {
            argument.release()
            throw .thread(code: code)
        }
        self.thread = Mutex(thread)
    }

    deinit { join() }

    /// Ends the mock, waits for its thread, and tells what it has served.
    package func stop() throws(MockError) -> MockSummary {
        join()
        guard let result = work.result else { preconditionFailure("the mock's thread ended without a result") }
        return try result.get()
    }

    private func join() {
        stopper.stop()
        thread.withLock { thread in
            guard let running = thread else { return }
            let code = pthread_join(running, nil)
            // EDEADLK, EINVAL, ESRCH: all mean that this is not a thread of ours to wait for.
            precondition(code == 0, "the mock's thread can't be joined (\(code))")
            thread = nil
        }
    }
}
