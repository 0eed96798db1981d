/// Chooses the connection for the next push of a lane.
///
/// Pushes that become due together go to one connection, up to a run of ``mostInARow``, so that their frames share TLS
/// records and system calls; then the next connection with room has its turn. A lane's load is thus even over any
/// stretch longer than a few runs.
package struct PoolRotation: Sendable, Equatable {
    /// Pushes to one connection before the next has its turn: about one TLS record of requests.
    package static let mostInARow = 32

    private let connections: Int
    private var current = 0
    private var inARow = 0

    package init(connections: Int) {
        precondition(connections > 0, "a pool has at least one connection")
        self.connections = connections
    }

    /// The connection to use, or nil where none has room.
    ///
    /// - Parameter room: how many more streams a connection may start now; 0 where it is not open.
    package mutating func next(room: (Int) -> Int) -> Int? {
        if inARow < Self.mostInARow, room(current) > 0 {
            inARow += 1
            return current
        }
        for step in 1...connections {
            let candidate = (current + step) % connections
            if room(candidate) > 0 {
                current = candidate
                inARow = 1
                return candidate
            }
        }
        return nil
    }

    /// Ends the current run: what becomes due later need not go where the last pushes went.
    package mutating func endTurn() {
        if inARow > 0 { inARow = Self.mostInARow }
    }
}
