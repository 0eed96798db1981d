import LoadPlan

/// A pool in the option names of senders that people use.
///
/// Sources: the senders' own code and manuals: sideshow/apns2, jchambers/pushy, parse-community/node-apn, Fatal1ty/aioapns and
/// the Firebase Admin SDKs for Node, Go, Java and Python.
package enum KnownSenders {
    package struct Setting: Sendable, Equatable {
        package var sender: String
        package var options: String
        package var note: String
    }

    /// What to set where; only the senders of the lane's service.
    package static func settings(_ pool: TunedPool, lane: String) -> [Setting] {
        LaneName.isAPNs(lane) ? apns(pool) : fcm(pool)
    }

    private static func apns(_ pool: TunedPool) -> [Setting] {
        [
            Setting(
                sender: "apns2",
                options: "\(pool.connections) x apns2.NewTokenClient, StrictMaxConcurrentStreams: true",
                note: "a client with a Transport of its own is one connection; \(pool.streams) goroutines on each"
            ),
            Setting(
                sender: "pushy",
                options: "ApnsClientBuilder.setConcurrentConnections(\(pool.connections))",
                note: "streams follow the host's limit; a semaphore of \(pool.inFlight) around sendNotification"
            ),
            Setting(
                sender: "node-apn",
                options: "new MultiProvider({ clientCount: \(pool.connections) })",
                note: "notifications go round; \(pool.inFlight) promises awaited at a time"
            ),
            Setting(
                sender: "aioapns",
                options: "APNs(max_connections=\(pool.connections))",
                note: "its pool grows up to that; asyncio.Semaphore(\(pool.inFlight)) around send_notification"
            ),
        ]
    }

    /// The SDKs take no pool: what can be chosen is how many calls go on at once, and how many messages each has.
    private static func fcm(_ pool: TunedPool) -> [Setting] {
        let size = min(500, pool.batchSize ?? 500)
        func calls(_ each: Int) -> Int { max(1, (pool.inFlight + each - 1) / each) }
        return [
            Setting(
                sender: "firebase-admin (node)",
                options: "\(pool.connections) x sendEach of \(min(size, pool.streams)) messages at once",
                note: "each call opens one connection of its own and closes it"
            ),
            Setting(
                sender: "firebase-admin (go)",
                options: "\(calls(min(50, size))) x SendEach of \(size) messages at once",
                note: "each call sends 50 at a time"
            ),
            Setting(
                sender: "firebase-admin (java)",
                options: "\(calls(min(100, size))) x sendEachAsync of \(size) messages at once",
                note: "100 threads; at most 100 connections of 100 streams"
            ),
            Setting(
                sender: "firebase-admin (python)",
                options: "\(calls(size)) x send_each of \(size) messages at once",
                note: "HTTP/1.1: a connection for each message in flight, ten of them kept"
            ),
        ]
    }
}
