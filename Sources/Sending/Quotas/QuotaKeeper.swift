package import LoadPlan

/// Keeps one worker's part of a lane below a quota of the lane's host, before the host has to say no.
///
/// Every push asks once before each attempt; a push that has to wait asks again at the time it was told.
package struct QuotaKeeper: Sendable, Equatable {
    private enum Kind: Equatable {
        case none
        case smooth(SmoothQuota)
        case window(WindowQuota)
    }

    private var kind: Kind

    /// - Parameter workers: how many keep the quota, each an equal part.
    package init(_ section: QuotaSection, workers: Int) {
        switch section.keeper {
        case .none: kind = .none
        case .smooth: kind = .smooth(SmoothQuota(section, parts: workers))
        case .window: kind = .window(WindowQuota(section, parts: workers))
        }
    }

    /// Whether pushes ever have to wait.
    package var isActive: Bool { kind != .none }

    /// Asks for one push: the time from which it may go; at or before `now` it was given and counts.
    package mutating func take(at now: Int64) -> Int64 {
        switch kind {
        case .none:
            return now
        case .smooth(var quota):
            defer { kind = .smooth(quota) }
            return quota.take(at: now)
        case .window(var quota):
            defer { kind = .window(quota) }
            return quota.take(at: now)
        }
    }

    /// The host answered a push, and was or was not at the end of the lane's quota.
    ///
    /// - Parameter retryAfter: when the host says that it goes on, in nanoseconds from now; nil where it doesn't.
    package mutating func answered(writtenAt: Int64, isRefused: Bool, retryAfter: Int64?, at now: Int64) {
        guard case .window(var quota) = kind else { return }
        if isRefused {
            quota.refused(writtenAt: writtenAt, retryAfter: retryAfter, at: now)
        } else {
            quota.accepted(writtenAt: writtenAt)
        }
        kind = .window(quota)
    }
}
