/// How much the peer may send us, on a stream or on the connection (RFC 9113, section 6.9.1).
///
/// A window is given back when half of it has been used: rarely enough to cost little, soon enough never to stall a
/// peer that is within half a window of us.
struct ReceiveWindow: BitwiseCopyable {
    /// What the peer may have sent and we have not given back; a smaller initial window can make it negative.
    private(set) var size: Int32
    private var used: Int32 = 0

    init(size: Int32) {
        self.size = size
    }

    /// Counts bytes that came in.
    ///
    /// - Returns: Whether the peer was allowed to send them.
    @inline(__always)
    mutating func take(_ count: Int) -> Bool {
        used &+= Int32(truncatingIfNeeded: count)
        return used <= size
    }

    /// What to give back now, or 0.
    @inline(__always)
    mutating func update() -> UInt32 {
        if used <= 0 || Int64(used) * 2 < Int64(size) { return 0 }
        defer { used = 0 }
        return UInt32(used)
    }

    /// What to give back now by that policy, or 0.
    @inline(__always)
    mutating func update(_ policy: WindowUpdatePolicy) -> UInt32 {
        switch policy {
        case .whenHalfUsed: return update()
        case .never: return 0
        case .atOnce:
            defer { used = 0 }
            return UInt32(max(0, used))
        }
    }

    mutating func resize(by change: Int32) {
        size &+= change
    }
}

/// How much we may send, on a stream or on the connection; negative after the peer made its initial window smaller
/// (RFC 9113, section 6.9.2).
struct SendWindow: BitwiseCopyable {
    private(set) var size: Int32

    @inline(__always)
    mutating func take(_ count: Int) {
        size &-= Int32(truncatingIfNeeded: count)
    }

    /// Adds a WINDOW_UPDATE's increment or the change of the initial window.
    ///
    /// - Returns: Whether the window stays within 2^31-1.
    mutating func add(_ change: Int64) -> Bool {
        let sum = Int64(size) + change
        if sum > Int64(Int32.max) { return false }
        // Two windows of at most 2^31-1 differ by no more than an Int32 holds.
        size = Int32(sum)
        return true
    }
}
