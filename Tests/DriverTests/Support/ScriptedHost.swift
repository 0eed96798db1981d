import Credentials
import Foundation
import Synchronization
import Transport

/// A host that does exactly what a script says, over TLS on loopback, on a thread of its own.
final class ScriptedHost: Sendable {
    let url: String
    let port: UInt16
    private let stopping = Mutex(false)
    private let waker: Waker
    private let done = DispatchSemaphore(value: 0)
    private let ledger = Mutex(Ledger())

    /// Begins to serve.
    init(_ script: Script, credentials: MockCredentials = TestCredentials.shared) throws {
        let listener = try Listener()
        port = listener.address.port
        url = "https://127.0.0.1:\(port)"
        let context = try TLSContext.server(
            identity: .pem(certificate: credentials.serverCertificateFile, key: credentials.serverKeyFile)
        )
        let poller = try Poller()
        waker = poller.waker
        // Made here and used by the thread alone from now on.
        nonisolated(unsafe) let loop = ScriptedLoop(script, listener: listener, context: context, poller: poller)
        let thread = Thread { [self] in
            loop.run { self.stopping.withLock { $0 } }
            ledger.withLock { $0 = loop.ledger }
            done.signal()
        }
        thread.start()
    }

    /// Ends the host and tells what it has seen.
    func stop() -> Ledger {
        stopping.withLock { $0 = true }
        waker.wakeUp()
        done.wait()
        return ledger.withLock { $0 }
    }
}

/// What a scripted host has seen.
struct Ledger: Sendable {
    /// How often each push came: by its `apns-id`, or by its body where it has none.
    var pushes: [String: Int] = [:]
    /// Requests answered whole.
    var answered = 0
    /// Connections accepted, and those of them whose TLS came up.
    var accepted = 0
    var secured = 0
    /// When each connection was accepted, in monotonic nanoseconds.
    var acceptedAt: [Int64] = []
    /// Requests that came on a stream too many.
    var overLimit = 0
    var pings = 0
    /// Connections on which the client said GOAWAY, and those that it ended in order.
    var goodbyes = 0
    var cleanEnds = 0
    /// Streams that the client reset.
    var cancelled = 0
    /// What the client did wrong.
    var faults: [String] = []
    /// When the host stood still, in monotonic nanoseconds.
    var frozen: (from: Int64, to: Int64)?

    var distinct: Int { pushes.count }
    var repeated: Int { pushes.values.reduce(0) { $0 + $1 - 1 } }
    var mostOften: Int { pushes.values.max() ?? 0 }
}
