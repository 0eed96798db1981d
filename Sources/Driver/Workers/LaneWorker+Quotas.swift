import LoadPlan
import Push
import Sending

/// How a lane keeps its quotas by itself.
extension LaneWorker {
    /// What the quotas say to a push.
    enum QuotaAnswer: Equatable {
        case now
        /// Not before some other time; those behind it have to wait too.
        case notYet
        /// Its device has had enough until then; those behind it may go.
        case later(Int64)
    }

    /// Asks the quotas for a push whose turn it is and that has a stream.
    func quotaLetsThrough(_ push: inout WaitingPush, at now: Int64) -> QuotaAnswer {
        if deviceQuota.isActive, !push.hasDeviceGrant {
            let time = deviceQuota.take(device: push.device, isCollapsible: isCollapsible(push), at: now)
            if time > now { return .later(time) }
            push.hasDeviceGrant = true
            backlog.replaceFirst(with: push)
        }
        if quota.isActive, !push.hasLaneGrant {
            let time = quota.take(at: now)
            guard time <= now else {
                quotaWait.blocked(at: now)
                quotaOpensAt = time
                return .notYet
            }
            quotaWait.opened(at: now)
            quotaOpensAt = .max
        }
        if push.attempts == 0, !push.hasLaneGrant {
            push.quotaWait += quotaWait.reading(at: now) - push.quotaMark
            recorder.waitedForQuota(phase: Int(push.phase), wait: push.quotaWait)
        }
        return .now
    }

    /// The push whose turn it is has no stream: from when the quota would let it through, it waits for that.
    func noteStreamWait(at now: Int64) {
        guard quotaOpensAt <= now else { return }
        quotaWait.opened(at: quotaOpensAt)
        quotaOpensAt = .max
    }

    /// A push waits for its device's quota by itself, while others overtake it.
    func postpone(_ push: WaitingPush, until time: Int64, at now: Int64) {
        var push = push
        push.quotaWait += time - now + quotaWait.reading(at: now) - push.quotaMark
        if time < start + lifetime, delayed.insert(push, at: time) { return }
        giveUp(push, cause: .quota)
        endInBatch(push.batch, position: push.position, phase: push.phase, result: -1, at: now)
    }

    /// Pushes whose time has come stand before all others.
    func resumeDelayed(at now: Int64) {
        while var push = delayed.takeDue(at: now) {
            push.quotaMark = quotaWait.reading(at: now)
            backlog.putBack(push)
        }
    }

    private func isCollapsible(_ push: WaitingPush) -> Bool {
        setup.isCollapsible[setup.catalogue.message(hash: push.hash)]
    }
}
