package import LoadPlan

/// So many pushes in each fixed window, as fast as they come, until the window's are used up.
///
/// FCM's minute is such a window, refilled at once and not aligned to anybody's clock (Firebase, "Throttling and quotas").
/// Where the host's windows begin is not known before it refuses a push. From then on only a probe goes out now and then;
/// the first that is taken shows where a window began, and the keeper's own windows begin there from then on. Pushes that
/// the host refuses don't count, as they don't at the host.
package struct WindowQuota: Sendable, Equatable {
    /// Probes while the host refuses: how finely the window's begin is found.
    package static let probesPerWindow: Int64 = 100

    private let limit: Int
    private let length: Int64
    /// When the current window began; nil before the first push.
    private var start: Int64?
    private var used = 0
    /// The host refuses; probes only.
    package private(set) var isRefused = false
    private var nextProbe: Int64 = 0
    private var lastRefused = Int64.min

    /// - Parameter parts: how many workers share the quota.
    package init(_ section: QuotaSection, parts: Int) {
        limit = max(1, Int(Double(section.limit) * (1 - section.reserve) / Double(parts)))
        length = section.per
    }

    /// Asks for one push: the time from which it may go; at or before `now` it was given and counts.
    package mutating func take(at now: Int64) -> Int64 {
        if isRefused {
            guard nextProbe <= now else { return nextProbe }
            nextProbe = now + probeInterval
            return now
        }
        let start = window(at: now)
        guard used < limit else { return start + length }
        used += 1
        return now
    }

    /// The begin of the window that `now` lies in.
    private mutating func window(at now: Int64) -> Int64 {
        let begin = start ?? now
        let elapsed = now - begin
        guard elapsed >= length || start == nil else { return begin }
        let current = begin + elapsed / length * length
        start = current
        used = 0
        return current
    }

    /// The host said that its window is used up.
    package mutating func refused(writtenAt: Int64, retryAfter: Int64?, at now: Int64) {
        lastRefused = max(lastRefused, writtenAt)
        let pause = retryAfter ?? probeInterval
        nextProbe = isRefused && retryAfter == nil ? max(nextProbe, now) : max(nextProbe, now + pause)
        isRefused = true
    }

    /// The host took a push, which only one that was written after the last refused one says anything about.
    package mutating func accepted(writtenAt: Int64) {
        guard isRefused, writtenAt > lastRefused else { return }
        isRefused = false
        start = writtenAt
        used = 1
    }

    private var probeInterval: Int64 { max(1, length / Self.probesPerWindow) }
}
