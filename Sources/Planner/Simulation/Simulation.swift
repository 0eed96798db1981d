package import Histogram
import Hosts
import LoadPlan
import Push

/// One run of a campaign in virtual time: a discrete-event simulation of the senders' decisions against the hosts'.
///
/// The same seed gives the same campaign, to the nanosecond. Memory is bounded by the streams of the pools and by what
/// waits for another try, not by the number of pushes.
package enum Simulation {
    /// Walks through a campaign.
    ///
    /// - Parameters:
    ///   - seed: of service times, jitter, bad tokens and, where the campaign doesn't say, of when quotas are refilled.
    ///   - phase: when the quota is first refilled; nil for what the campaign says.
    package static func run(_ campaign: Campaign, seed: UInt64, phase: Int64? = nil) -> SimulatedCampaign {
        var numbers = SplitMix(seed: scramble(campaign.profile.seed &+ 0x504C_414E) ^ scramble(seed))
        var phases: [Int64] = []
        let lanes = campaign.lanes.map { lane in
            let window = lane.host.quota?.window ?? Nanoseconds.minute
            let drawn = Int64(numbers.next() % UInt64(window))
            let phase = (phase ?? lane.host.quotaPhase ?? drawn) % window
            phases.append(phase)
            return SimulatedLane(lane, host: HostModel(lane, phase: phase, seed: numbers.next()))
        }
        let workers = (0..<campaign.workers).map { _ in SimulatedWorker() }
        var senders: [Sender] = []
        for lane in lanes {
            for (number, worker) in workers.enumerated() {
                let seed = numbers.next()
                if let sender = Sender(lane, worker: number, worker, campaign: campaign, seed: seed) {
                    senders.append(sender)
                }
            }
        }
        let end = walk(senders, until: campaign.lifetime)
        for sender in senders { sender.stop(at: end) }
        return SimulatedCampaign(
            seed: seed,
            lanes: zip(lanes, phases).map { SimulatedLaneResult($0, phase: $1) },
            workerBusy: workers.map(\.busy)
        )
    }

    /// Lets whoever is due first have its turn until nothing is due any more, or the time is up; returns when that was.
    private static func walk(_ senders: [Sender], until lifetime: Int64) -> Int64 {
        var now: Int64 = 0
        if senders.count == 1 {
            let sender = senders[0]
            while true {
                let next = sender.nextTime
                guard next < lifetime else { return next == .max ? now : lifetime }
                now = next
                sender.turn(at: now)
            }
        }
        var times = senders.map(\.nextTime)
        while true {
            var first = 0
            for index in times.indices where times[index] < times[first] { first = index }
            guard times[first] < lifetime else { return times[first] == .max ? now : lifetime }
            now = times[first]
            senders[first].turn(at: now)
            times[first] = senders[first].nextTime
        }
    }
}

/// What came of one simulated campaign.
package struct SimulatedCampaign: Sendable {
    package let seed: UInt64
    package let lanes: [SimulatedLaneResult]
    /// CPU nanoseconds of each worker.
    package let workerBusy: [Int64]

    /// When the last answer came, in nanoseconds from the start.
    package var finish: Int64 { lanes.map(\.finish).max() ?? 0 }
    package var delivered: UInt64 { lanes.reduce(0) { $0 + $1.delivered } }
    package var rejected: UInt64 { lanes.reduce(0) { $0 + $1.rejected } }
    package var attempts: UInt64 { lanes.reduce(0) { $0 + $1.attempts } }
    package var retried: UInt64 { lanes.reduce(0) { $0 + $1.retried } }
    package var skipped: UInt64 { lanes.reduce(0) { $0 + $1.skipped } }
    package var unanswered: UInt64 { lanes.reduce(0) { $0 + $1.unanswered } }
    /// Attempts that were refused with 429, for a quota of project or device.
    package var refused: UInt64 { lanes.reduce(0) { $0 + $1.refused } }
    /// Pushes that were refused in the end, because no other try was left.
    package var lost: UInt64 { lanes.reduce(0) { $0 + $1.lost } }

    /// Whether every push had its answer by a time, and none was given up that the host might have taken.
    package func keeps(_ deadline: Int64) -> Bool {
        finish <= deadline && lost == 0 && skipped == 0 && unanswered == 0
    }
}

/// One lane's part of it.
package struct SimulatedLaneResult: Sendable {
    package let name: String
    package let delivered: UInt64
    /// Answered no in the end.
    package let rejected: UInt64
    /// Of those, the ones that the host might have taken later.
    package let lost: UInt64
    package let attempts: UInt64
    package let retried: UInt64
    package let skipped: UInt64
    package let unanswered: UInt64
    /// Attempts that were answered 429.
    package let refused: UInt64
    /// Of those, the ones for the project's quota.
    package let refusedByProject: UInt64
    /// Messages that were taken and held back, because they replace one another too often.
    package let heldBack: UInt64
    package let finish: Int64
    package let peakInFlight: Int
    /// When the quota was first refilled.
    package let phase: Int64
    /// Nanoseconds for which each limit held pushes up, summed over the workers.
    package let blocked: [Limit: Int64]
    package let curve: Curve
    package let response: SparseHistogram
    package let wait: SparseHistogram

    init(_ lane: SimulatedLane, phase: Int64) {
        let (tally, answers) = (lane.tally, lane.host.answers)
        name = lane.model.name
        delivered = tally.delivered
        rejected = tally.rejected.reduce(0, +)
        lost = zip(answers, tally.rejected).reduce(0) { $0 + ($1.0.disposition == .retryLater ? $1.1 : 0) }
        attempts = tally.attempts
        retried = tally.retried
        skipped = tally.skipped
        unanswered = tally.unanswered
        refused = zip(answers, tally.answered).reduce(0) { $0 + ($1.0.status == 429 ? $1.1 : 0) }
        refusedByProject = zip(answers, tally.answered).reduce(0) { $0 + ($1.0.isLaneQuota ? $1.1 : 0) }
        heldBack = lane.host.heldBack
        finish = tally.finish
        peakInFlight = tally.peakInFlight
        self.phase = phase
        blocked = Dictionary(uniqueKeysWithValues: Limit.allCases.map { ($0, tally.blocked[$0.index]) })
        curve = tally.curve
        response = SparseHistogram(tally.response)
        wait = SparseHistogram(tally.wait)
    }
}
