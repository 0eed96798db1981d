import Transport

/// When a run's load begins, once its connections are ready.
package enum StartRule {
    /// At once.
    case whenReady
    /// At a time in nanoseconds since 1970, by this machine's clock; at once where it has passed.
    case at(Int64)
    /// When all shards have come to a gate.
    case gate(StartGate)
}

/// The instant that a run begins at, and what it was agreed by.
struct StartAgreement {
    /// Monotonic nanoseconds.
    let start: Int64
    /// Nanoseconds since 1970 by the clock that was agreed on; nil where nothing was.
    var agreed: Int64?
    /// That instant on the monotonic clock: earlier than ``start`` where it had passed.
    let planned: Int64
    var aheadOfGate: Int64?
    /// By how much this machine's clock is taken to be ahead of the one that was agreed on.
    var correction: Int64 = 0

    /// From now on, workers need a moment to wake up.
    private static let notice: Int64 = 20_000_000

    /// Nothing is agreed on.
    init() {
        start = MonotonicClock.now() + Self.notice
        planned = start
    }

    /// At a wall-clock time, or as soon as can be where that has passed.
    init(at time: Int64, correction: Int64 = 0) {
        let now = MonotonicClock.now()
        planned = now + time + correction - WallClock.now()
        start = max(planned, now + Self.notice)
        agreed = time
        self.correction = correction
    }
}

extension Run {
    /// Connections that wait for long are closed by hosts, so they are made no sooner than this before the start.
    private static let lead: Int64 = 30_000_000_000

    /// Waits until it is time to connect.
    ///
    /// - Parameter isWanted: asked now and then; false ends the waiting.
    func waitForLead(_ rule: StartRule, while isWanted: () -> Bool) {
        guard case .at(let time) = rule else { return }
        while WallClock.now() < time - Self.lead, isWanted() { sleep(nanoseconds: 50_000_000) }
    }

    /// Agrees on a start; nil where the user has ended the run meanwhile.
    func agree(on rule: StartRule, while isWanted: () -> Bool) throws(RunError) -> StartAgreement? {
        switch rule {
        case .whenReady: return StartAgreement()
        case .at(let time): return StartAgreement(at: time)
        case .gate(let gate): return try gate.pass(while: isWanted)
        }
    }
}
