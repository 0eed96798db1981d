/// Chooses the seat of the pool, and with it the connection, for the next push of a lane.
///
/// Pushes that become due together go to one connection, up to a run of ``mostInARow``, so that their frames share TLS
/// records and system calls; then the next connection with room has its turn. A lane's load is thus even over any
/// stretch longer than a few runs.
@usableFromInline  // Without it the compiler does not inline `goesOn` into other rooms, whatever that itself says.
package struct PoolRotation: Sendable, Equatable {
    /// Pushes to one connection before the next has its turn: about one TLS record of requests.
    @inlinable package static var mostInARow: Int { 32 }

    private let seats: Int
    private var current = 0
    @usableFromInline var inARow = 0

    package init(seats: Int) {
        precondition(seats > 0, "a pool has at least one seat")
        self.seats = seats
    }

    /// The seat to use, or nil where none has room.
    ///
    /// - Parameter room: how many more streams a seat's connection may start now; 0 or less where it takes none.
    package mutating func next(room: (Int) -> Int) -> Int? {
        if inARow < Self.mostInARow, room(current) > 0 {
            inARow += 1
            return current
        }
        for step in 1...seats {
            let candidate = (current + step) % seats
            if room(candidate) > 0 {
                current = candidate
                inARow = 1
                return candidate
            }
        }
        return nil
    }

    /// Whether the current run goes on, so that one more push goes to the seat that was chosen last.
    ///
    /// - Parameter room: how many more streams its connection may start now.
    @inlinable
    package mutating func goesOn(room: Int) -> Bool {
        guard inARow < Self.mostInARow, room > 0 else { return false }
        inARow += 1
        return true
    }

    /// The seat for a push that was refused at another: that one only where no other has room.
    package mutating func next(avoiding refused: Int, room: (Int) -> Int) -> Int? {
        next { $0 == refused ? 0 : room($0) } ?? (room(refused) > 0 ? refused : nil)
    }

    /// Ends the current run: what becomes due later need not go where the last pushes went.
    package mutating func endTurn() {
        if inARow > 0 { inARow = Self.mostInARow }
    }
}
