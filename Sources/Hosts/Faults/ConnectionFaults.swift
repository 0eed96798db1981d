/// What the faults of a host remember about one connection.
package struct ConnectionFaults: Sendable, BitwiseCopyable {
    /// Its number among the host's connections, from 0.
    package private(set) var number: UInt64 = 0
    /// Nanoseconds since the mock's start.
    package private(set) var openedAt: Int64 = 0
    package private(set) var lastRequestAt: Int64 = 0
    /// Requests that came over it.
    package private(set) var requests: UInt64 = 0
    /// Whether the connection proved itself by certificate.
    package var hasCertificate = false
    /// Nothing is answered any more.
    package internal(set) var isWedged = false
    /// The connection has been told to go, so no further order is given.
    package var isEnding = false
    /// The stream limit is cut since a push was rejected.
    var isCut = false
    var staleTokens: UInt32 = 0
    /// Answers and weighted errors of the window that is being counted.
    var answers: UInt32 = 0
    var errors: UInt32 = 0
    var pings: UInt32 = 0
    var firstPingAt: Int64 = 0

    package init() {}

    init(number: UInt64, at elapsed: Int64) {
        self.number = number
        openedAt = elapsed
        lastRequestAt = elapsed
    }

    mutating func countRequest(at elapsed: Int64) {
        requests &+= 1
        lastRequestAt = elapsed
        pings = 0
    }
}
