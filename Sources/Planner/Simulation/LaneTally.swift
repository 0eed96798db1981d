import Histogram

/// What keeps pushes from being sent when they are due.
package enum Limit: String, Sendable, CaseIterable, Codable {
    /// The project's quota: the keeper's of our own, or what the host refused is waiting for.
    case quota
    /// All streams of the pool are in use.
    case streams
    /// As many batches are in flight as may be.
    case batches
    case cpu
    case perDevice = "per-device"
    case collapsible
}

/// What one lane did in one simulated campaign.
struct LaneTally {
    var delivered: UInt64 = 0
    /// By ``HostModel``'s answers: what counted in the end.
    var rejected: [UInt64]
    /// Attempts by answer, those that were followed by another included.
    var answered: [UInt64]
    var attempts: UInt64 = 0
    var retried: UInt64 = 0
    var skipped: UInt64 = 0
    var unanswered: UInt64 = 0
    /// When the last answer came.
    var finish: Int64 = 0
    var peakInFlight = 0
    var inFlight = 0
    /// Nanoseconds for which each limit held the push up whose turn it was.
    var blocked = [Int64](repeating: 0, count: Limit.allCases.count)
    var curve = Curve()
    /// From due to the last answer.
    var response = Histogram()
    /// From due to written, of first attempts.
    var wait = Histogram()

    init(answers: Int) {
        rejected = Array(repeating: 0, count: answers)
        answered = rejected
    }
}

/// Counts over time in at most ``most`` steps of one length, which doubles whenever the time does not fit.
package struct Curve: Sendable {
    /// What is counted.
    package struct Step: Sendable, BitwiseCopyable {
        package var sent: UInt32 = 0
        package var delivered: UInt32 = 0
        /// Refused for the project's quota.
        package var refused: UInt32 = 0
        /// Counted by the project's quota.
        package var counted: UInt32 = 0
        /// The most in flight.
        package var inFlight: UInt32 = 0
    }

    private static let most = 1024
    /// Nanoseconds.
    package private(set) var length: Int64 = 10_000_000
    private var all = [Step](repeating: Step(), count: most)
    private var last = 0

    package init() {}

    /// Those up to the last in which anything happened.
    package var steps: ArraySlice<Step> { all[...last] }

    @inline(__always)
    mutating func note(_ change: (inout Step) -> Void, at now: Int64) {
        var index = Int(now / length)
        while index >= Self.most {
            fold()
            index = Int(now / length)
        }
        if index > last { last = index }
        change(&all[index])
    }

    private mutating func fold() {
        for index in 0..<Self.most / 2 {
            let (left, right) = (all[2 * index], all[2 * index + 1])
            all[index] = Step(
                sent: left.sent &+ right.sent,
                delivered: left.delivered &+ right.delivered,
                refused: left.refused &+ right.refused,
                counted: left.counted &+ right.counted,
                inFlight: max(left.inFlight, right.inFlight)
            )
        }
        for index in Self.most / 2..<Self.most { all[index] = Step() }
        length *= 2
        last /= 2
    }
}

extension Limit {
    var index: Int {
        switch self {
        case .quota: 0
        case .streams: 1
        case .batches: 2
        case .cpu: 3
        case .perDevice: 4
        case .collapsible: 5
        }
    }
}

extension LaneTally {
    @inline(__always)
    mutating func wrote(_ firstWait: Int64?, _ reply: HostModel.Reply, at now: Int64) {
        attempts &+= 1
        inFlight += 1
        peakInFlight = max(peakInFlight, inFlight)
        if let firstWait { wait.record(firstWait) }
        let (open, isRefused) = (UInt32(inFlight), reply.answer == HostModel.projectQuota)
        curve.note(
            {
                $0.sent &+= 1
                if reply.isCounted { $0.counted &+= 1 }
                if isRefused { $0.refused &+= 1 }
                $0.inFlight = max($0.inFlight, open)
            },
            at: now
        )
    }

    @inline(__always)
    mutating func ended(_ flight: Flight, at now: Int64) {
        inFlight -= 1
        answered[Int(flight.answer)] &+= 1
        finish = max(finish, now)
    }

    @inline(__always)
    mutating func counted(_ flight: Flight, response: Int64, at now: Int64) {
        self.response.record(max(0, response))
        guard flight.answer == HostModel.delivered else {
            rejected[Int(flight.answer)] &+= 1
            return
        }
        delivered &+= 1
        curve.note({ $0.delivered &+= 1 }, at: now)
    }
}
