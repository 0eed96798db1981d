import HTTP2
import Hosts
import Transport

/// Which connection: the place where it is kept and how many were kept there before, so that an answer that comes due
/// after its connection is gone is not sent on the next one.
struct ConnectionHandle: Equatable, BitwiseCopyable {
    var place: UInt32
    var generation: UInt32
}

/// One client's connection to one host: its socket, its session, and what could not be written yet.
///
/// Belongs to the server's thread.
final class Connection {
    /// What the connection is busy with.
    enum Stage {
        /// TLS is being negotiated. Becomes `http2`, `canned`, `http1` or ends.
        case handshake
        case http2(HTTP2Connection)
        /// HTTP/2 on which every request is answered the moment it is complete, and nobody looks at it.
        case canned(CannedServerSession)
        case http1(HTTP1Connection)
        /// We have said our last word and read on until the client has said his, so that it is not lost to a reset.
        case lingering
    }

    let handle: ConnectionHandle
    let port: HostPort
    /// The host behind the port.
    let host: HostName
    let socket: TLSSocket
    var stage = Stage.handshake
    /// What the host remembers about the connection.
    var memory = ConnectionMemory()
    /// Monotonic nanoseconds: when a handshake, a request of HTTP/1.1 or the lingering must be over; nil for no limit.
    var deadline: Int64?
    /// Monotonic nanoseconds: nothing is read or written before; `Int64.max` for never again, nil for no such time.
    var pausedUntil: Int64?
    /// To be closed at once, without a word.
    var isCut = false
    /// What came, but is not to be looked at yet.
    var delayed = DelayLine()
    /// Whether the connection waits in the server's list of those to be flushed.
    var isToBeFlushed = false
    /// Bytes that the socket did not take, oldest first.
    private var unwritten: [UInt8] = []
    private var written = 0

    init(handle: ConnectionHandle, port: HostPort, socket: TLSSocket) {
        self.handle = handle
        self.port = port
        host = port.host
        self.socket = socket
    }

    var hasUnwritten: Bool { written < unwritten.count }

    /// How many bytes the socket did not take.
    var unwrittenCount: Int { unwritten.count - written }

    /// Keeps bytes to be written with the next flush.
    func keep(_ bytes: [UInt8]) {
        unwritten.append(contentsOf: bytes)
    }

    /// Writes what was kept back; true if nothing is left.
    func writeKept() throws(TransportError) -> Bool {
        while hasUnwritten {
            let result = unwritten.withUnsafeBytes {
                socket.write(from: UnsafeRawBufferPointer(rebasing: $0[written...]))
            }
            switch result {
            case .bytes(let count): written += count
            case .wouldBlock: return false
            case .failed: throw socket.failure ?? .closedWithoutNotice
            }
        }
        unwritten.removeAll(keepingCapacity: true)
        written = 0
        return true
    }

    /// Writes bytes, keeping what the socket does not take; false if it kept some.
    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Bool {
        precondition(!hasUnwritten, "bytes would overtake those that wait")
        guard !bytes.isEmpty else { return true }
        switch socket.write(from: bytes) {
        case .bytes(bytes.count): return true
        case .bytes(let count):
            unwritten.append(contentsOf: bytes[count...])
            return try writeKept()
        case .wouldBlock:
            unwritten.append(contentsOf: bytes)
            return false
        case .failed: throw socket.failure ?? .closedWithoutNotice
        }
    }
}
