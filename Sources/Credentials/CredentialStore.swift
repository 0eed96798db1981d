import Glibc
package import Sending
import Synchronization

/// All credentials of a run, each renewed by a thread of its own, off the sending path.
///
/// Lanes with one key share one credential, and so one token: a host sees a key's tokens, not ours.
package final class CredentialStore: Sendable {
    private struct State {
        var credentials: [(identity: String, credential: Credential)] = []
        var threads: [RefreshThread] = []
        var isRunning = false
    }

    private let clock: CredentialClock
    private let onFailure: @Sendable (Credential, TokenFailure) -> Void
    private let changed = Alarm()
    private let state = Mutex(State())

    /// Makes an empty store; `onFailure` is told of every refresh that failed, on the thread that tried.
    package init(
        clock: CredentialClock = .system,
        onFailure: @escaping @Sendable (Credential, TokenFailure) -> Void = { _, _ in }
    ) {
        self.clock = clock
        self.onFailure = onFailure
    }

    deinit { stop() }

    /// The credential of a source: the one already here when the key and the name are the same.
    package func credential(for source: any TokenSource, policy: TokenPolicy) -> Credential {
        let identity = "\(source.fingerprint) \(source.name)"
        return state.withLock { state in
            if let known = state.credentials.first(where: { $0.identity == identity }) { return known.credential }
            let credential = Credential(
                source: source,
                policy: policy,
                clock: clock,
                changed: changed,
                onFailure: onFailure
            )
            state.credentials.append((identity, credential))
            if state.isRunning { state.threads.append(RefreshThread(credential)) }
            return credential
        }
    }

    /// All credentials, in the order they were asked for first.
    package var credentials: [Credential] { state.withLock { $0.credentials.map(\.credential) } }

    /// Starts a thread per credential; each makes its first token at once.
    package func start() {
        state.withLock { state in
            guard !state.isRunning else { return }
            state.isRunning = true
            state.threads = state.credentials.map { RefreshThread($0.credential) }
        }
    }

    /// Waits until every credential has a token that may be used; false when `deadline` (monotonic) comes first.
    ///
    /// Throws the failure of the first credential that tried and got none. One thread may wait at a time.
    package func waitUntilReady(until deadline: Int64) throws(TokenFailure) -> Bool {
        while true {
            let waiting = credentials.filter { !$0.isReady }
            if waiting.isEmpty { return true }
            for credential in waiting {
                if let failure = credential.statistics.lastFailure { throw failure }
            }
            if clock.monotonic() >= deadline { return false }
            changed.wait(until: deadline)
        }
    }

    /// Ends all threads for good; tokens stay readable.
    ///
    /// An exchange under way is given up within about a second.
    package func stop() {
        let threads = state.withLock { state in
            defer { state.threads = [] }
            state.isRunning = false
            return state.threads
        }
        for thread in threads { thread.cancel() }
        for thread in threads { thread.join() }
    }
}

/// The thread that renews one credential until it is cancelled.
private struct RefreshThread: Sendable {
    private let credential: Credential
    private let thread: pthread_t

    /// Enough for libcurl and OpenSSL, a sixteenth of the default.
    private static let stackSize = 512 * 1_024

    init(_ credential: Credential) {
        var attributes = pthread_attr_t()
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(credential).toOpaque()
        // The thread is born with every signal blocked: signals are the main thread's business, and a host that
        // closes must not raise SIGPIPE here.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        let code = pthread_create(&thread, &attributes, refreshForever, argument)
        pthread_attr_destroy(&attributes)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        precondition(code == 0, "no thread to renew tokens with: \(systemReason(code))")
        self.credential = credential
        self.thread = thread
    }

    func cancel() {
        credential.cancellation.cancel()
        credential.alarm.ring()
    }

    func join() { pthread_join(thread, nil) }
}

private func refreshForever(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { preconditionFailure("a refreshing thread without a credential") }
    let credential = Unmanaged<Credential>.fromOpaque(argument).takeRetainedValue()
    while !credential.cancellation.isCancelled {
        credential.alarm.wait(until: credential.refreshIfDue())
    }
    return nil
}
