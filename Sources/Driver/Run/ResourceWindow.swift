import LoadPlan
import Resources
import Sending
import Synchronization
import Transport

/// What the process used during the load, and a window in the middle of it in which allocations are counted.
///
/// jemalloc counts a thread's allocations exactly only after the thread has flushed its cache, so the workers are asked
/// to do that at both ends of the window; it costs them two flushes a run, or one a second where its end is not known.
struct ResourceWindow {
    private struct Mark {
        var allocations: UInt64
        var http2: UInt64
        var tls: UInt64
        var sent: UInt64
    }

    /// Away from the edges of the load: connections have settled and rows of the first second are laid out.
    private static let margin = Nanoseconds.second

    private let counter = try? AllocationCounter()
    private let from: Int64
    private let to: Int64
    /// Whether the load may end before its time, so that the window's end is marked again every second.
    private let mayEndEarly: Bool
    /// When its end is marked next, and how many marks were made.
    private var next: Int64
    private var epoch = 0
    private var start: Int64 = 0
    private var cpuAtStart: Int64 = 0
    private var cpuAtEnd: Int64 = 0
    private var endedAt: Int64 = 0
    private(set) var wallAtStart: Int64 = 0
    private var clocks = ClockWatch()
    private var first: Mark?
    private var last: Mark?

    /// The window lies in the measured phases and is left out where they are too short for it.
    init(phases: [RunPhase], of load: LoadSection) {
        from = (phases.first { !load.phases[$0.index].warmUp }?.start ?? 0) + Self.margin
        to = (phases.last?.end ?? 0) - Self.margin / 2
        mayEndEarly = load.phases.contains { $0.shape.mayEndEarly }
        next = mayEndEarly ? from + Self.margin : to
    }

    /// The load is about to begin.
    mutating func begin(at start: Int64, wall: Int64) {
        self.start = start
        endedAt = start
        let now = MonotonicClock.now()
        wallAtStart = wall + (start - now)
        clocks.observe(wall: wall, monotonic: now)
        cpuAtStart = CPUClock.process()
    }

    /// Looks at the clocks and, at the ends of the window, at the allocator.
    mutating func sample(at now: Int64, wall: Int64, control: RunControl, progresses: [WorkerProgress]) {
        clocks.observe(wall: wall, monotonic: MonotonicClock.now())
        guard let counter, to > from else { return }
        let elapsed = now - start
        if first == nil {
            if elapsed >= from { first = mark(counter, control, progresses) }
        } else if elapsed >= next, next <= to, let mark = mark(counter, control, progresses) {
            last = mark
            // At most a second of load is left out of the window that way.
            next = mayEndEarly ? elapsed + Self.margin : .max
        }
    }

    /// A reading, once every worker has flushed its cache; nil until then.
    private mutating func mark(
        _ counter: AllocationCounter,
        _ control: RunControl,
        _ progresses: [WorkerProgress]
    ) -> Mark? {
        control.requestFlush(epoch + 1)
        guard progresses.allSatisfy({ $0.flushed.load(ordering: .acquiring) > epoch }) else { return nil }
        epoch += 1
        var mark = Mark(allocations: counter.read(), http2: 0, tls: 0, sent: 0)
        for progress in progresses {
            mark.http2 += progress.http2Allocations.load(ordering: .relaxed)
            mark.tls += progress.tlsAllocations.load(ordering: .relaxed)
            mark.sent += progress.sent
        }
        return mark
    }

    /// The workers have ended.
    mutating func end() {
        cpuAtEnd = CPUClock.process()
        endedAt = MonotonicClock.now()
    }

    /// Nanoseconds from the run's start to its end.
    var duration: Int64 { max(0, endedAt - start) }

    /// The largest step of the wall clock so far.
    var clockStep: Int64 { clocks.largestStep }

    /// What the generator used; the workers' own parts are added by the caller.
    var measurement: GeneratorMeasurement {
        var generator = GeneratorMeasurement()
        generator.cpu = cpuAtEnd - cpuAtStart
        generator.peakMemory = (try? ProcessMemory.now())?.peakResidentBytes ?? 0
        generator.clockStep = clocks.largestStep
        if let first, let last {
            generator.allocations = last.allocations - first.allocations
            generator.allocationsInHTTP2 = last.http2 - first.http2
            generator.allocationsInTLS = last.tls - first.tls
            generator.allocationsPushes = last.sent - first.sent
        }
        return generator
    }
}

extension PhaseShape {
    /// Whether pushes may be used up before the time is.
    fileprivate var mayEndEarly: Bool {
        if case .closed(_, let pushes) = self { pushes != nil } else { false }
    }
}
