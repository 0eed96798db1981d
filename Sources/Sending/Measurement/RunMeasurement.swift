/// All that a run measured, merged over its workers: what reports are made from.
package struct RunMeasurement: Sendable, Equatable {
    /// One phase as it was run.
    package struct Phase: Sendable, Equatable {
        package var name: String
        /// Warm-up phases are counted apart and reach no threshold.
        package var warmUp: Bool
        /// Nanoseconds from the run's start.
        package var start: Int64
        /// Nanoseconds from the run's start; where it was cut short, the time at which it was.
        package var end: Int64
        /// Nanoseconds of all its rounds together: less than `end - start` where other phases lie between them.
        package var duration: Int64

        package init(name: String, warmUp: Bool, start: Int64, end: Int64) {
            self.name = name
            self.warmUp = warmUp
            self.start = start
            self.end = end
            duration = end - start
        }
    }

    package var phases: [Phase]
    package var lanes: [LaneMeasurement]
    package var connections: [ConnectionMeasurement] = []
    package var credentials: [CredentialMeasurement] = []
    package var generator = GeneratorMeasurement()
    /// Order-independent hash of (push, device, due) over all planned pushes.
    package var planHash: UInt64 = 0
    /// The same over the pushes that were sent.
    package var sentHash: UInt64 = 0
    /// Wall-clock nanoseconds since 1970 at the run's start.
    package var startedAt: Int64
    /// Nanoseconds from the run's start to its end, drain included.
    package var duration: Int64 = 0
    /// Whether the run was ended early: by its user, a threshold, a fault or a worker that broke down.
    package var interrupted = false
    /// The lane whose fault ended a run against real hosts; nil where none did.
    package var faultyLane: String?
    /// Results that cannot be, as the end of the run found them; see ``findings``.
    package var contradictions: [String] = []
    /// The part of a run that this was; nil for a whole one.
    package var shard: ShardMeasurement?

    package init(phases: [Phase], lanes: [LaneMeasurement], startedAt: Int64) {
        self.phases = phases
        self.lanes = lanes
        self.startedAt = startedAt
    }
}

/// One connection's life, for `connections.csv`.
package struct ConnectionMeasurement: Sendable, Equatable, Codable {
    package var lane: String
    package var worker: Int
    package var connection: Int
    /// Nanoseconds from the run's start; negative for connections opened before the load.
    package var opened: Int64 = 0
    package var closed: Int64 = 0
    /// Nanoseconds that the TCP connect took.
    package var connect: Int64 = 0
    /// Nanoseconds that the TLS handshake took.
    package var handshake: Int64 = 0
    package var streams: UInt64 = 0
    package var peakStreams: Int = 0
    package var peerLimitMin: Int = 0
    package var peerLimitMax: Int = 0
    package var bytesOut: UInt64 = 0
    package var bytesIn: UInt64 = 0
    package var goAwayCode: UInt32?
    package var goAwayReason: String?
    package var goAwayLastStream: Int32?
    package var resets: UInt64 = 0
    /// Who or what closed it: `run end`, `peer`, or an error in a few words.
    package var closedBy: String = ""
    /// The shard that opened it, counted from 1; nil in a run that was not shared.
    package var shard: Int?
    /// What said who we are: `token` or `certificate`; nil in records from before there was a choice.
    package var credential: String?

    package init(lane: String, worker: Int, connection: Int) {
        self.lane = lane
        self.worker = worker
        self.connection = connection
    }
}

/// One credential's use, for `credentials.csv`.
package struct CredentialMeasurement: Sendable, Equatable, Codable {
    package var lane: String
    /// A name that shows nothing secret: key id or client e-mail.
    package var credential: String
    package var signed: UInt64 = 0
    package var refreshed: UInt64 = 0
    /// Pushes that went out under a token that was already there.
    package var servedFromCache: UInt64 = 0
    package var signP50: Int64 = 0
    package var signMax: Int64 = 0
    /// Age in nanoseconds of the oldest token that a push was sent with.
    package var oldestUsed: Int64 = 0
    /// The shard that used it, counted from 1; nil in a run that was not shared.
    package var shard: Int?
    /// When its tokens were there to be used, in nanoseconds from the run's start: the first before it, the others while it
    /// went on; nil in records from before this was kept.
    package var tokensAt: [Int64]?

    package init(lane: String, credential: String) {
        self.lane = lane
        self.credential = credential
    }
}

/// What the generator itself used and how well it kept time.
package struct GeneratorMeasurement: Sendable, Equatable, Codable {
    package var workers: Int = 0
    /// CPU nanoseconds of the whole process between the run's start and end.
    package var cpu: Int64 = 0
    /// CPU nanoseconds of each worker thread in the same time.
    package var workerCPU: [Int64] = []
    /// Peak resident memory in bytes.
    package var peakMemory: UInt64 = 0
    /// Allocations by the process between the first and the last full second of load.
    package var allocations: UInt64 = 0
    /// Those of them made inside nghttp2.
    package var allocationsInHTTP2: UInt64 = 0
    /// Those of them made inside OpenSSL.
    package var allocationsInTLS: UInt64 = 0
    /// Pushes sent in the same time.
    package var allocationsPushes: UInt64 = 0
    /// The longest time between two turns of a worker's loop that were both due, in nanoseconds.
    package var longestStall: Int64 = 0
    /// The largest difference seen between the progress of the wall clock and of the monotonic clock.
    package var clockStep: Int64 = 0
    /// Whether a lane's backlog ever overflowed.
    package var backlogOverflowed = false
    /// Which worker broke down, and of what; nil where none did.
    package var failure: String?
    /// Worker turns of the event loop.
    package var turns: UInt64 = 0
    /// What this machine's generator could do at most, where that was measured before the run.
    package var ceiling: CeilingMeasurement?
    /// System calls made for reading and writing.
    package var reads: UInt64 = 0
    package var writes: UInt64 = 0

    package init() {}
}
