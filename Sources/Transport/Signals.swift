import CLinux
import Glibc

/// Takes SIGINT and SIGTERM in place of the default, which would end the process with nothing written.
///
/// The handler counts and wakes a poller; the loop then looks at `count`. One at a time may exist; when it goes, the
/// default handlers are back unless told otherwise, so whoever has something to put away keeps it until that is done.
package final class Signals {
    /// Kept alive, because the handler writes to its descriptor.
    private let waker: Waker
    private let ignoresAfterwards: Bool

    /// Installs the handlers.
    ///
    /// - Parameters:
    ///   - waker: Of the poller to wake at each signal.
    ///   - exitOnSecond: Ends the process at once with status 130 at the second signal, even if the loop hangs.
    ///   - ignoresAfterwards: Leaves both signals ignored in the end, for a process that does nothing more than end: one
    ///     in its last moments would else be its exit status.
    /// - Throws: `.system` when the kernel refuses the handlers.
    package init(
        waking waker: Waker,
        exitOnSecond: Bool,
        ignoresAfterwards: Bool = false
    ) throws(TransportError) {
        self.waker = waker
        self.ignoresAfterwards = ignoresAfterwards
        _ = try systemCall("sigaction") { linux_signals_install(waker.raw, exitOnSecond ? 1 : 0) }
        Self.mask(SIG_UNBLOCK)
    }

    /// Keeps both signals waiting until handlers are installed, which then see them.
    ///
    /// For a program that has to put something away at its end, from before it is there. Holds for the calling thread
    /// and those that it starts meanwhile.
    package static func holdBack() { mask(SIG_BLOCK) }

    private static func mask(_ how: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        let code = pthread_sigmask(how, &signals, nil)
        precondition(code == 0, "pthread_sigmask failed: \(errorText(code))")
    }

    deinit { linux_signals_uninstall(ignoresAfterwards ? 1 : 0) }

    /// How many signals came so far: 1 asks to finish soon, 2 to stop at once.
    package var count: Int { Int(linux_signals_count()) }

    /// The first signal's number, SIGINT (2) or SIGTERM (15); nil before it.
    package var first: Int32? {
        let number = linux_signals_first()
        return number == 0 ? nil : number
    }
}
