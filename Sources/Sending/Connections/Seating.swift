/// Decides which connection holds each seat of a lane's pool.
///
/// A pool has as many seats as the profile asks for connections. While a connection drains after GOAWAY, another takes its
/// seat, so the pool loses no room; a seat has at most one connection that drains, so that a host which says GOAWAY over
/// and over and never answers can't pile connections up. Connections are named by their place, which is theirs for good and
/// used again by their successors' successors.
package struct Seating: Sendable, Equatable {
    private struct Seat: Equatable {
        /// The place that pushes of this seat go to.
        var current: Int
        /// The seat's other place; nil until it is first needed.
        var other: Int?
        /// Whether the connection at `other` still drains.
        var otherIsTaken = false
        /// The current one drains too, and its successor waits for `other`.
        var isHeldUp = false
    }

    private var table: [Seat]
    private var seatOfPlace: [Int]

    /// - Parameter seats: of the pool; places 0 up to this are theirs at first.
    package init(seats: Int) {
        precondition(seats > 0, "a pool has at least one seat")
        table = (0..<seats).map { Seat(current: $0) }
        seatOfPlace = Array(0..<seats)
    }

    /// How many seats the pool has.
    package var seats: Int { table.count }

    /// The place that a seat's pushes go to.
    package func current(_ seat: Int) -> Int { table[seat].current }

    /// The seat that a place belongs to.
    package func seat(of place: Int) -> Int { seatOfPlace[place] }

    /// The connection at a place takes no more streams, and goes on until its last one ends.
    ///
    /// Places are numbered without gaps: one that was not there before is the one after the last.
    ///
    /// - Returns: the place whose connection is to be opened in its stead; nil where that has to wait.
    package mutating func drains(_ place: Int) -> Int? {
        let number = seatOfPlace[place]
        guard table[number].current == place else { return nil }
        guard !table[number].otherIsTaken else {
            table[number].isHeldUp = true
            return nil
        }
        return handOver(number)
    }

    /// The connection at a place is gone.
    ///
    /// - Returns: the place whose connection is to be opened now, if any.
    package mutating func ended(_ place: Int) -> Int? {
        let number = seatOfPlace[place]
        if table[number].current == place {
            table[number].isHeldUp = false
            return place
        }
        table[number].otherIsTaken = false
        return table[number].isHeldUp ? handOver(number) : nil
    }

    /// The current connection becomes the one that drains.
    private mutating func handOver(_ number: Int) -> Int {
        let place = table[number].current
        let successor = table[number].other ?? newPlace(for: number)
        table[number] = Seat(current: successor, other: place, otherIsTaken: true)
        return successor
    }

    private mutating func newPlace(for seat: Int) -> Int {
        seatOfPlace.append(seat)
        return seatOfPlace.count - 1
    }
}
