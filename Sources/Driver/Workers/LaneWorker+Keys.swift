import Credentials
import LoadPlan
import Push
import Sending

/// How a lane proves who it is: the token of the day, and the change from one key to the next.
extension LaneWorker {
    /// Follows the credential; false where no token may be used, so that pushes wait.
    func checkToken(at now: Int64) -> Bool {
        switch token?.check(at: now, pushes: 0) {
        // Without a credential it is certificates that say who we are.
        case .unchanged, nil:
            return true
        case .unavailable:
            return false
        case .changed:
            authorization = "bearer " + String(decoding: token?.bytes ?? [], as: UTF8.self)
            // A connection stays with the key that it began with.
            for connection in connections where connection.keyNumber == keyNumber {
                connection.setAuthorization(authorization)
            }
            return true
        }
    }

    /// What the schedule of the token says to a host's complaint about it; nil where there is none.
    func rejection(of generation: UInt32, on connection: PushConnection<Session>) -> TokenSchedule.Rejection? {
        guard let credential = token?.credential else { return nil }
        guard connection.keyNumber == keyNumber else { return .alreadyRenewed }
        return credential.rejected(generation: UInt64(generation))
    }

    /// The lane goes over to its next key: from here on connections begin with that one.
    func changeKey(at now: Int64) {
        keyChangesAt = .max
        guard let nextKey, !halt.isHalted else { return }
        token?.report()
        token = TokenReader(nextKey)
        keyNumber = 1
        isChangingKeys = true
        _ = checkToken(at: now)
    }

    /// Leaves the connections of the key before, one at a time: the next drains when the seat of the last has a connection
    /// again, so that the pool keeps all its room but one connection's.
    ///
    /// A key must not come to a connection that began with another (Apple, "Establishing a token-based connection to APNs").
    func leaveOldKey(at now: Int64) {
        var next: PushConnection<Session>?
        for seat in 0..<seating.seats {
            let connection = connections[seating.current(seat)]
            switch connection.state.phase {
            case .open:
                if connection.keyNumber != keyNumber, !connection.usesCertificate { next = next ?? connection }
            case .vacant, .closed:
                break
            case .waiting, .connecting, .handshaking, .draining:
                return
            }
        }
        guard let next else {
            isChangingKeys = false
            return
        }
        drain(next, because: .keyChange, at: now)
    }
}
