import Synchronization

/// One worker's view of a credential: the current token, checked before every push for the price of one atomic load.
///
/// Belongs to one thread. Nothing is copied or allocated until the token has changed.
package struct TokenReader: ~Copyable {
    /// What a check found.
    package enum Status: Sendable, Equatable {
        /// `bytes` are as they were.
        case unchanged
        /// `bytes` are new: lay them out again.
        case changed
        /// There is no token that may be used now.
        case unavailable
    }

    package let credential: Credential
    /// The token's characters; meaningful after `changed` or `unchanged`.
    package private(set) var bytes: [UInt8] = []
    /// Which token this is, for telling the credential that a host rejected it.
    package private(set) var generation: UInt64 = 0

    private var version: UInt64 = 0
    private var issuedAt = Int64.min
    private var expiresAt = Int64.min
    private var served: UInt64 = 0
    private var oldestUsed: Int64 = 0

    package init(_ credential: Credential) {
        self.credential = credential
    }

    deinit {
        credential.add(served: served, oldestUsed: oldestUsed)
    }

    /// Looks for the token that `pushes` pushes at `now` (monotonic nanoseconds) are sent with.
    @inline(__always)
    package mutating func check(at now: Int64, pushes: UInt64 = 1) -> Status {
        guard credential.version.load(ordering: .acquiring) == version else { return reload(at: now, pushes: pushes) }
        guard now < expiresAt else { return .unavailable }
        count(pushes, at: now)
        return .unchanged
    }

    /// Adds what this reader served to the credential's statistics, and starts again from nothing.
    package mutating func report() {
        credential.add(served: served, oldestUsed: oldestUsed)
        (served, oldestUsed) = (0, 0)
    }

    @inline(never)
    private mutating func reload(at now: Int64, pushes: UInt64) -> Status {
        let current = credential.current()
        (bytes, generation, version) = (current.snapshot.bytes, current.snapshot.generation, current.version)
        (issuedAt, expiresAt) = (current.snapshot.issuedAt, current.snapshot.expiresAt)
        guard now < expiresAt else { return .unavailable }
        count(pushes, at: now)
        return .changed
    }

    private mutating func count(_ pushes: UInt64, at now: Int64) {
        served &+= pushes
        // `issuedAt` is a real time here: a token without one has expired long ago.
        oldestUsed = max(oldestUsed, now - issuedAt)
    }
}
