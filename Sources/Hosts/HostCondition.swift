/// How a host is doing as a whole: what it answers to every request that reaches it.
package enum HostCondition: UInt8, Sendable, CaseIterable {
    /// Requests are judged one by one.
    case healthy
    /// 500.
    case failing
    /// 503.
    case unavailable
    /// APNs: 503 `Shutdown`; the others: the front end's 502 page.
    case goingAway
    /// FCM: an FcmError without a cause; the others: 500.
    case unexplained
}
