import Push

/// What was found out about requests that are alike: their headers pass, and this is what they say.
///
/// Kept for one connection, on which it stays true: what a token and a topic may do there is fixed at its first push, and
/// whatever goes by the time is asked each time.
struct KnownPush: Sendable, Equatable {
    var likeness: UInt32 = 0
    var token = ProviderTokenStanding.absent
    var type = PushType.alert
    var appTag: UInt16?
}

/// The last few of them, each at the place that the lowest bits of its number say.
struct KnownPushes: Sendable, Equatable {
    private var first = KnownPush()
    private var second = KnownPush()
    private var third = KnownPush()
    private var fourth = KnownPush()

    /// What is known of requests of that likeness; nil for one that is not here, and for 0.
    @inline(__always)
    func find(_ likeness: UInt32) -> KnownPush? {
        if likeness == 0 { return nil }
        let known =
            switch likeness & 3 {
            case 0: first
            case 1: second
            case 2: third
            default: fourth
            }
        return known.likeness == likeness ? known : nil
    }

    mutating func keep(_ known: KnownPush) {
        switch known.likeness & 3 {
        case _ where known.likeness == 0: break
        case 0: first = known
        case 1: second = known
        case 2: third = known
        default: fourth = known
        }
    }
}
