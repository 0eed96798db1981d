import Driver
import FoundationEssentials
import Glibc
import LoadPlan
import Report
import Sending

/// Shows on standard error where a run stands: a few lines redrawn in place on a terminal, else a plain line now and then.
final class ProgressDisplay {
    private let isTerminal: Bool
    private let isQuiet: Bool
    private let view: LiveView
    /// What was shown at the last second and the one before, to tell rates from.
    private var marks: [RunProgress] = []
    private var shown: RunProgress?
    private var nextLine: Int64 = plainInterval
    private var nextDrawing = Int64.min
    /// How many lines stand on the terminal.
    private var drawn = 0

    private static let second: Int64 = 1_000_000_000
    private static let plainInterval: Int64 = 5 * second

    /// How often it is of use to call ``update(_:)``, in nanoseconds: five times a second on a terminal.
    var interval: Int64 { isTerminal ? Self.second / 5 : Self.second / 2 }

    /// Whether it shows more than counts.
    var wantsDetails: Bool { isTerminal && !isQuiet }

    init(isQuiet: Bool, bounds: VerdictBounds) {
        self.isQuiet = isQuiet
        let environment = ProcessInfo.processInfo.environment
        isTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
        view = LiveView(bounds: bounds, colours: (environment["NO_COLOR"] ?? "").isEmpty)
    }

    /// Draws, if it is time to.
    func update(_ progress: RunProgress) {
        guard !isQuiet else { return }
        if isTerminal { draw(progress) } else { writeLine(progress) }
    }

    private func writeLine(_ progress: RunProgress) {
        // A line at the very start would say nothing.
        guard progress.elapsed >= nextLine else { return }
        nextLine = progress.elapsed + Self.plainInterval
        Console.writeError(progress.line(since: shown) + "\n")
        shown = progress
    }

    private func draw(_ progress: RunProgress) {
        // While nothing is on, nothing changes.
        if progress.phase == nil, drawn > 0 { return }
        guard progress.elapsed >= nextDrawing else { return }
        if progress.phase != nil { nextDrawing = progress.elapsed + interval }
        let (columns, rows) = Self.size
        let lines = view.lines(progress, since: marks.first, width: columns - 1)
        write(lines.count < rows ? lines : [progress.line(since: marks.first)].map { String($0.prefix(columns - 1)) })
        guard progress.phase != nil, progress.elapsed - (marks.last?.elapsed ?? 0) >= Self.second else { return }
        marks = marks.suffix(1) + [progress]
    }

    /// Says something on a line of its own.
    func note(_ text: String) {
        clear()
        if !isQuiet { Console.writeError(text + "\n") }
    }

    /// Removes what was drawn, so that results begin on a clean line.
    func clear() {
        guard drawn > 0 else { return }
        Console.writeError(Self.home(over: drawn))
        drawn = 0
    }

    private func write(_ lines: [String]) {
        Console.writeError((drawn > 0 ? Self.home(over: drawn) : "") + lines.map { $0 + "\n" }.joined())
        drawn = lines.count
    }

    /// To the first of so many lines above, with nothing left from there on (ECMA-48: CPL, ED).
    private static func home(over lines: Int) -> String { "\u{1B}[\(lines)F\u{1B}[J" }

    private static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
