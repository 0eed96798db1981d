import Histogram
import Hosts
import LoadPlan

/// Answers what a campaign takes, by simulating it under several seeds.
package enum Planner {
    /// So many pushes are simulated in all, unless the campaign says how often.
    private static let mostSimulated: UInt64 = 20_000_000
    private static let seedRange = 2...20

    /// How often a campaign is simulated: as often as it says, or as its size allows.
    package static func seeds(for campaign: Campaign) -> Int {
        if let seeds = campaign.settings.seeds { return seeds }
        let pushes = max(1, campaign.pushes ?? 1_000_000)
        return min(max(Int(mostSimulated / pushes), seedRange.lowerBound), seedRange.upperBound)
    }

    /// When the quota is first refilled in one of so many simulations: spread evenly over the window, so that few seeds
    /// already see lucky and unlucky ones.
    package static func phase(of number: Int, in seeds: Int, of campaign: Campaign) -> Int64? {
        guard campaign.settings.quotaPhase == nil,
            let window = campaign.lanes.lazy.compactMap({ $0.host.quota?.window }).first
        else { return nil }
        return Int64((Double(number) + 0.5) / Double(seeds) * Double(window))
    }

    /// Simulates one seed of so many.
    package static func simulate(_ campaign: Campaign, number: Int, of seeds: Int) -> SimulatedCampaign {
        Simulation.run(campaign, seed: UInt64(number), phase: phase(of: number, in: seeds, of: campaign))
    }

    /// Simulates all seeds and answers.
    package static func answer(_ campaign: Campaign) -> PlanAnswer {
        let seeds = seeds(for: campaign)
        return answer(campaign, from: (0..<seeds).map { simulate(campaign, number: $0, of: seeds) })
    }

    /// Answers from what was simulated.
    package static func answer(_ campaign: Campaign, from runs: [SimulatedCampaign]) -> PlanAnswer {
        precondition(!runs.isEmpty, "an answer from nothing")
        let median = runs.sorted { $0.finish < $1.finish }[(runs.count - 1) / 2]
        let finish = Spread(runs.map(\.finish))
        let lanes = campaign.lanes.indices.map { laneAnswer(campaign, $0, runs, median) }
        let deadline = campaign.settings.deadline
        let attempts = median.attempts
        let bytes = campaign.bytesPerPush
        let cores = cores(campaign, median)
        let pressures = pressures(campaign, median)
        return PlanAnswer(
            name: campaign.profile.name,
            seed: campaign.profile.seed,
            seeds: runs.count,
            pushes: campaign.pushes ?? median.delivered + median.rejected,
            finish: finish,
            deadline: deadline,
            inTime: deadline.map { limit in Double(runs.count { $0.keeps(limit) }) / Double(runs.count) },
            binding: binding(pressures, runs),
            pressures: pressures,
            lanes: lanes,
            cores: cores,
            coresAdvised: cores.map { max(1, Int(($0 * (1 + campaign.settings.margin)).rounded(.up))) },
            workers: campaign.workers,
            bytesOut: attempts * UInt64(bytes.out),
            bytesIn: attempts * UInt64(bytes.in),
            tokens: campaign.tokens(lasting: finish.p99),
            phase: phaseAnswer(campaign, runs),
            assumptions: campaign.assumptions(seeds: runs.count),
            median: median
        )
    }

    private static func laneAnswer(
        _ campaign: Campaign,
        _ index: Int,
        _ runs: [SimulatedCampaign],
        _ median: SimulatedCampaign
    ) -> LaneAnswer {
        let lane = campaign.lanes[index]
        let results = runs.map { $0.lanes[index] }
        let own = median.lanes[index]
        // What falls due all at once has no rate but the one that it is sent at.
        let rate = campaign.isBurst ? own.perSecond : lane.plannedPerSecond(campaign.plan)
        let need = PoolNeed(lane, rate: rate, margin: campaign.settings.margin)
        return LaneAnswer(
            name: lane.name,
            pushes: lane.plan.totalPlanned ?? own.delivered + own.rejected,
            perSecond: rate,
            finish: Spread(results.map(\.finish)),
            delivered: Spread(results.map(\.delivered)),
            rejected: Spread(results.map(\.rejected)),
            refused: Spread(results.map(\.refused)),
            retried: Spread(results.map(\.retried)),
            lost: Spread(results.map(\.lost)),
            skipped: Spread(results.map(\.skipped)),
            attempts: Spread(results.map(\.attempts)),
            heldBack: Spread(results.map(\.heldBack)),
            responseP50: own.response.value(atQuantile: 0.5),
            responseP99: own.response.value(atQuantile: 0.99),
            waitP99: own.wait.value(atQuantile: 0.99),
            peakInFlight: own.peakInFlight,
            inFlight: need.inFlight,
            connections: lane.section.connections,
            streams: lane.streams,
            connectionsNeeded: need.connections,
            connectionsAdvised: need.advised,
            batchesNeeded: need.batches,
            quota: quotaAnswer(lane, own, rate: campaign.isBurst ? .infinity : rate, campaign)
        )
    }

    private static func quotaAnswer(
        _ lane: CampaignLane,
        _ own: SimulatedLaneResult,
        rate: Double,
        _ campaign: Campaign
    ) -> QuotaAnswer? {
        guard let whole = lane.host.wholeQuota, let left = lane.host.quota else { return nil }
        let others = campaign.settings.quotaUsed
        return QuotaAnswer(
            limit: whole.most,
            window: whole.window,
            usedByOthers: others,
            peakShare: others + (1 - others) * own.peakQuotaShare(left.most, window: left.window),
            advice: QuotaAdvice(
                // No minute needs more than there is.
                perSecond: min(rate, Double(own.delivered + own.rejected) / 60),
                usedByOthers: others,
                limit: whole.most,
                window: whole.window,
                badShare: lane.badShare
            )
        )
    }

    private static func cores(_ campaign: Campaign, _ median: SimulatedCampaign) -> Double? {
        guard let cost = campaign.settings.cpuPerPush else { return nil }
        let rate = campaign.lanes.reduce(0) { $0 + $1.plannedPerSecond(campaign.plan) }
        // A closed loop has no planned rate: what it reaches counts.
        let reached = median.finish > 0 ? Double(median.attempts) / Double(median.finish) * 1e9 : 0
        return (rate > 0 && !campaign.isBurst ? rate : reached) * Double(cost) / 1e9
    }

    private static func pressures(_ campaign: Campaign, _ median: SimulatedCampaign) -> [Pressure] {
        let time = Double(max(1, median.finish))
        return Limit.allCases.compactMap { limit in
            let held = median.lanes.map { Double($0.blocked[limit] ?? 0) / time }.max() ?? 0
            let used: Double? =
                switch limit {
                case .quota:
                    zip(campaign.lanes, median.lanes)
                        .compactMap { lane, own in
                            lane.host.quota.map { own.peakQuotaShare($0.most, window: $0.window) }
                        }
                        .max()
                case .streams:
                    zip(campaign.lanes, median.lanes)
                        .map { Double($1.peakInFlight) / Double($0.section.connections * $0.streams) }.max()
                case .cpu:
                    campaign.settings.cpuPerPush == nil
                        ? nil : median.workerBusy.map { Double($0) / time }.max()
                case .batches, .perDevice, .collapsible: nil
                }
            guard used != nil || held > 0 else { return nil }
            return Pressure(limit: limit, used: used, held: held / Double(limit == .perDevice ? 1 : campaign.workers))
        }
    }

    /// The limit that held pushes up the longest; the quota where it refused some.
    ///
    /// Nil where none did.
    private static func binding(_ pressures: [Pressure], _ runs: [SimulatedCampaign]) -> Limit? {
        let held = pressures.filter { $0.held > 0.005 }.max { $0.held < $1.held }
        if let held { return held.limit }
        return runs.contains { run in run.lanes.contains { $0.refusedByProject > 0 } } ? .quota : nil
    }

    private static func phaseAnswer(_ campaign: Campaign, _ runs: [SimulatedCampaign]) -> PhaseAnswer? {
        guard campaign.settings.quotaPhase == nil, runs.count > 1,
            let index = campaign.lanes.firstIndex(where: { $0.host.quota != nil }),
            let best = runs.min(by: { $0.finish < $1.finish }), let worst = runs.max(by: { $0.finish < $1.finish })
        else { return nil }
        let refused = Spread(runs.map { $0.lanes[index].refused })
        return PhaseAnswer(
            bestPhase: best.lanes[index].phase,
            bestFinish: best.finish,
            worstPhase: worst.lanes[index].phase,
            worstFinish: worst.finish,
            leastRefused: refused.least,
            mostRefused: refused.most
        )
    }
}

/// What a rate needs of a lane's pool, by Little's law.
private struct PoolNeed {
    let inFlight: Double
    let connections: Int
    /// With the margin.
    let advised: Int
    /// Batches in flight, one of them being filled; nil on a lane without batches.
    let batches: Int?

    init(_ lane: CampaignLane, rate: Double, margin: Double) {
        let latency = lane.serviceTime.mean + Double(lane.roundTrip)
        func connections(_ perSecond: Double) -> Int {
            ClosedForms.connections(perSecond: perSecond, latency: latency, streams: lane.streams)
        }
        let inFlight = ClosedForms.inFlight(perSecond: rate, latency: latency)
        self.inFlight = inFlight
        self.connections = connections(rate)
        advised = connections(rate * (1 + margin))
        batches = lane.section.batch.map { max(1, Int((inFlight / Double($0.size)).rounded(.up)) + 1) }
    }
}

extension SimulatedLaneResult {
    /// Attempts a second, on average.
    var perSecond: Double { finish > 0 ? Double(attempts) / Double(finish) * 1e9 : 0 }

    /// The greatest share of a quota that is spent in any of its windows.
    package func peakQuotaShare(_ limit: Int, window: Int64) -> Double {
        guard limit > 0 else { return 1 }
        var (most, spent, number) = (UInt64(0), UInt64(0), Int64.min)
        for (index, step) in curve.steps.enumerated() {
            // Steps don't end where windows do; each counts for the window that its middle lies in.
            let middle = (Int64(index) * 2 + 1) * curve.length / 2
            let own = (middle - phase + window) / window
            if own != number { (spent, number) = (0, own) }
            spent += UInt64(step.counted)
            most = max(most, spent)
        }
        return min(1, Double(most) / Double(limit))
    }
}
