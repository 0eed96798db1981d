import HTTP2
import LoadPlan

/// What a scripted host does; everything by default well.
struct Script: Sendable {
    /// What a new connection gets.
    enum Greeting: Sendable {
        case serve
        /// TLS begins so many nanoseconds later.
        case serveLater(Int64)
        /// TLS comes up, and then nothing is said.
        case secureOnly
        /// Closed as soon as it is accepted.
        case close
    }

    /// A request as the script sees it; all counts start at 0.
    struct Request: Sendable {
        /// In the order in which they were accepted.
        var connection: Int
        /// On its connection.
        var number: Int
        /// Of the host.
        var total: Int
        /// How often this push has come before.
        var before: Int
        /// The stream's identifier.
        var stream: Int32
    }

    /// How a request ends.
    enum Reply: Sendable {
        /// With status 200, after the script's service time.
        case answer
        /// After the script's service time too.
        case refusal(Int, body: String, retryAfter: String? = nil)
        case never
        case reset(HTTP2ErrorCode)
    }

    /// What else happens when a request comes; in order.
    enum Deed: Sendable {
        /// The last stream is the one given, or the highest there is.
        case goAway(last: Int32? = nil, code: HTTP2ErrorCode = .noError, reason: String = "")
        case limit(UInt32)
        /// Bytes that are no HTTP/2 follow what has been said.
        case nonsense
        /// The connection is closed when what has been said is written.
        case close
        /// The connection is neither read nor written any more, nor closed.
        case mute
    }

    struct Reaction: Sendable {
        var reply = Reply.answer
        var deeds: [Deed] = []
    }

    /// What happens so many nanoseconds after the first request.
    enum Event: Sendable {
        /// The whole host stands still.
        case freeze(Int64)
        /// All connections are closed and none is accepted.
        case leave
        /// Connections are accepted again.
        case comeBack
        /// Every connection says GOAWAY, with no stream below its last.
        case refuseAll
    }

    var streamLimit: UInt32 = 1000
    var serviceTime: Int64 = 5 * Nanoseconds.millisecond
    var events: [(at: Int64, event: Event)] = []
    var greet: @Sendable (_ connection: Int) -> Greeting = { _ in .serve }
    /// Said as soon as TLS is up.
    var openWith: @Sendable (_ connection: Int) -> [Deed] = { _ in [] }
    var react: @Sendable (Request) -> Reaction = { _ in Reaction() }
}
