import Fleet
package import Hosts
package import LoadPlan

/// What a host holds a lane to, from the same configurations that the mock hosts are made with.
package struct HostRules: Sendable {
    /// What is left of the project's quota; nil for none.
    package let quota: QuotaWindow.Limit?
    /// What the whole project may send; nil for none.
    package let wholeQuota: QuotaWindow.Limit?
    /// When the quota is first refilled, in nanoseconds from the start; nil where nobody knows.
    package let quotaPhase: Int64?
    package let deviceLimits: DeviceLimits?
    /// Whether a fault or the number of pushes to each device makes the limits matter.
    package let deviceLimitsAreOwn: Bool
    /// Faults of single requests that the simulation knows.
    package let faults: [Fault]
    /// Those that it does not.
    package let ignoredFaults: [Fault]

    /// Faults that change what the simulation knows: by the hosts' own rules, or request by request.
    private static let knownKnobs: Set<FaultKnob> = [
        .quota, .deviceLimit, .roundTrip, .firstStreams, .answer, .retryAfter, .serviceTime,
    ]
    private static let requestKnobs: Set<FaultKnob> = [.answer, .retryAfter, .serviceTime]

    init(_ lane: String, profile: Profile, settings: CampaignSection, faults: [Fault]) {
        let isCanned = profile.mock.policy == .canned
        self.faults = isCanned ? [] : faults.filter { Self.requestKnobs.contains($0.knob) }
        ignoredFaults = faults.filter { !Self.knownKnobs.contains($0.knob) }
        deviceLimitsAreOwn = faults.contains { $0.knob == .deviceLimit }
        guard !LaneName.isAPNs(lane) else {
            var host = APNsHost.Configuration(
                environment: .production,
                keys: [],
                bundleIDs: [],
                startedAt: 0,
                seed: profile.seed
            )
            for fault in faults { host.apply(fault) }
            (quota, wholeQuota, quotaPhase) = (nil, nil, nil)
            deviceLimits = isCanned ? nil : host.deviceLimit.map { DeviceLimits(short: $0) }
            return
        }
        var host = FCMHost.Configuration(projectID: profile.fleet.project, seed: profile.seed)
        for fault in faults { host.apply(fault) }
        let whole = settings.quota.map { QuotaWindow.Limit($0.limit, per: $0.per) } ?? (isCanned ? nil : host.quota)
        wholeQuota = whole
        quota = whole.map { .init(Int(Double($0.most) * (1 - settings.quotaUsed)), per: $0.window) }
        quotaPhase = settings.quotaPhase
        deviceLimits = isCanned ? nil : host.deviceLimits
    }
}
