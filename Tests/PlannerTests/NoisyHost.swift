import Hosts

@testable import Planner

/// What a machine adds to what trials measure.
struct MachineNoise: CustomStringConvertible, Sendable {
    /// The standard deviation, as a share, of what goes either way.
    var jitter: Double
    /// The share of the trials that something holds up.
    var share: Double
    /// How much longer those take, as a share: at least so much times 0.3, with a heavy tail of one over a uniform number.
    var heavy: Double
    /// How many trials in a row are held up once one in three of those was.
    var spell = 0

    var description: String { "jitter \(jitter), \(share) held up by \(heavy), spells of \(spell)" }

    static let none = MachineNoise(jitter: 0, share: 0, heavy: 0)
    static let quiet = MachineNoise(jitter: 0.005, share: 0.05, heavy: 0.2)
    static let shared = MachineNoise(jitter: 0.01, share: 0.1, heavy: 0.3)
    static let spells = MachineNoise(jitter: 0.01, share: 0.1, heavy: 0.3, spell: 3)
    static let busy = MachineNoise(jitter: 0.03, share: 0.3, heavy: 0.5, spell: 2)
}

/// A host whose knee is known, in a machine that is not quiet.
struct NoisyHost {
    /// Seconds.
    var service = 0.05
    var streams = 10
    /// Pushes a second that one connection carries, and that the host takes.
    var perConnection = Double.infinity
    var limit = Double.infinity
    var noise = MachineNoise.none
    var numbers = SplitMix(seed: 0)
    private var spellLeft = 0

    init(service: Double, streams: Int, perConnection: Double = .infinity, limit: Double = .infinity) {
        self.service = service
        self.streams = streams
        self.perConnection = perConnection
        self.limit = limit
    }

    static let length = 2.0
    private static let warmUp = 0.5

    mutating func measure(_ goal: TuneGoal, connections: Int) -> TrialFacts {
        switch goal {
        case .lowestLatency(let rate): open(connections, rate)
        case .highestRate: closed(connections)
        }
    }

    private func capacity(_ connections: Int) -> Double {
        min(Double(connections * streams) / service, Double(connections) * perConnection, limit)
    }

    /// Below the knee the backlog grows as long as the trial lasts.
    private mutating func open(_ connections: Int, _ rate: Double) -> TrialFacts {
        let (either, added) = draw()
        let carried = min(rate, capacity(connections))
        func wait(_ time: Double) -> Double { time * (rate - carried) / carried }
        let p50 = Int64((service + wait(Self.warmUp + Self.length * 0.5)) * (1 + 0.02 * added) * 1e9)
        let p99 = Int64((service * 1.03 + wait(Self.warmUp + Self.length * 0.99)) * either * (1 + added) * 1e9)
        return TrialFacts(
            rate: rate,
            p50: p50,
            p99: p99,
            p99Low: p99 - p99 / 100,
            p99High: p99 + p99 / 100,
            serviceP50: Int64(service * 1e9),
            answeredShare: 1,
            refusedShare: 0,
            workerCPU: 0.1,
            streamShare: min(1, carried / capacity(connections)),
            capacity: connections * streams,
            carried: TrialFacts.carried(planned: rate, p50: p50, p99: p99, length: Int64(Self.length * 1e9))
        )
    }

    /// The pool is always full.
    private mutating func closed(_ connections: Int) -> TrialFacts {
        let (either, added) = draw()
        let rate = capacity(connections) * either / (1 + 0.05 * added)
        return .closed(inFlight: connections * streams, rate: rate, tail: 1.1 * (1 + added))
    }

    /// A factor that goes either way, and a share that is only ever added.
    private mutating func draw() -> (either: Double, added: Double) {
        let either = 1 + noise.jitter * normal()
        if spellLeft > 0 {
            spellLeft -= 1
            return (either, noise.heavy * (0.5 + uniform()))
        }
        guard uniform() < noise.share else { return (either, 0) }
        if uniform() < 0.3 { spellLeft = noise.spell }
        return (either, noise.heavy * 0.3 * min(20, 1 / max(1e-3, uniform())))
    }

    private mutating func uniform() -> Double { Double(numbers.next() >> 11) * 0x1p-53 }

    /// Nearly normal: twelve uniform numbers.
    private mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}

extension TrialFacts {
    /// What a closed loop measures, whose pool is always full: Little's law gives the time, whatever it is spent on.
    ///
    /// - Parameter tail: p99 in terms of the median.
    static func closed(inFlight: Int, rate: Double, tail: Double) -> TrialFacts {
        let time = Double(inFlight) / rate * 1e9
        return TrialFacts(
            rate: rate,
            p50: Int64(time),
            p99: Int64(time * tail),
            serviceP50: Int64(time),
            answeredShare: 1,
            refusedShare: 0,
            workerCPU: 0.3,
            streamShare: 1,
            capacity: inFlight
        )
    }
}
