/// The connections of a server, each at a place that is used again when it has gone.
struct ConnectionTable {
    private struct Entry {
        var connection: Connection?
        var generation: UInt32 = 0
    }

    private let capacity: Int
    private var entries: [Entry] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isFull: Bool { count == capacity }

    /// Takes a place for a connection that `make` makes for it; nil if it makes none.
    mutating func add(_ make: (ConnectionHandle) -> Connection?) -> Connection? {
        precondition(!isFull, "there are \(count) connections already")
        let place = free.last ?? UInt32(entries.count)
        if free.isEmpty { entries.append(Entry()) } else { free.removeLast() }
        let handle = ConnectionHandle(place: place, generation: entries[Int(place)].generation)
        guard let connection = make(handle) else {
            free.append(place)
            return nil
        }
        entries[Int(place)].connection = connection
        count += 1
        return connection
    }

    /// The connection of that handle; nil if it has gone.
    subscript(handle: ConnectionHandle) -> Connection? {
        let entry = entries[Int(handle.place)]
        return entry.generation == handle.generation ? entry.connection : nil
    }

    mutating func remove(_ handle: ConnectionHandle) {
        precondition(self[handle] != nil, "connection \(handle) is not here")
        entries[Int(handle.place)].connection = nil
        // Two bits less than the word has: the poller's tags need them for listeners and the control port.
        entries[Int(handle.place)].generation = (entries[Int(handle.place)].generation &+ 1) & .max >> 2
        free.append(handle.place)
        count -= 1
    }

    /// All connections that are here now.
    var all: [Connection] { entries.compactMap(\.connection) }
}
