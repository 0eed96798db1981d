import Driver
import Glibc
import Report

/// Shows on standard error where a run stands: one line redrawn in place on a terminal, else a plain line now and then.
final class ProgressDisplay {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let isQuiet: Bool
    private var shown: ProgressSnapshot?
    private var next: Int64 = 0

    /// Between two drawings, in nanoseconds.
    private var interval: Int64 { isTerminal ? 500_000_000 : 5_000_000_000 }

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    /// Draws, if it is time to.
    func update(_ progress: RunProgress) {
        guard !isQuiet, progress.elapsed >= next else { return }
        next = max(progress.elapsed, 0) + interval
        // A plain line at the very start would say nothing.
        guard isTerminal || progress.elapsed >= interval else { return }
        let snapshot = ProgressSnapshot(progress)
        write(snapshot.line(since: shown))
        shown = snapshot
    }

    /// Says something on a line of its own.
    func note(_ text: String) {
        clear()
        if !isQuiet { Console.writeError(text + "\n") }
    }

    /// Removes the live line, so that results begin on a clean one.
    func clear() {
        if isTerminal, !isQuiet { Console.writeError("\r\u{1B}[2K") }
    }

    private func write(_ line: String) {
        guard isTerminal else { return Console.writeError(line + "\n") }
        Console.writeError("\r\u{1B}[2K" + line.prefix(terminalWidth - 1))
    }

    private var terminalWidth: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 120 }
        return Int(size.ws_col)
    }
}

extension ProgressSnapshot {
    fileprivate init(_ progress: RunProgress) {
        self.init()
        time = progress.elapsed
        phase = progress.phase
        phaseElapsed = progress.phaseElapsed
        phaseLength = progress.phaseDuration
        planned = progress.planned
        sent = progress.sent
        answered = progress.answered
        rejected = progress.rejected
        failed = progress.failed
        skipped = progress.skipped
        inFlight = UInt64(max(0, progress.inFlight))
    }
}
