import Transport

/// Ctrl-C and SIGTERM during a run: the first asks it to end in order, with results; the second ends the process at once.
///
/// Kept from before there is anything to put away until the results are written.
final class Interruption {
    private let poller: Poller
    private let signals: Signals
    private let announce: () -> Void
    private var isAnnounced = false

    /// - Parameter announce: called once, from ``count``, after the first signal.
    init(announce: @escaping () -> Void) throws(CommandFailure) {
        do throws(TransportError) {
            poller = try Poller()
            signals = try Signals(waking: poller.waker, exitOnSecond: true)
        } catch {
            throw CommandFailure("\(error)")
        }
        self.announce = announce
    }

    /// How many signals came so far.
    var count: Int {
        let count = signals.count
        if count > 0, !isAnnounced {
            isAnnounced = true
            announce()
        }
        return count
    }
}
