import Hosts

/// Reads requests of HTTP/1.1 (RFC 9112), one after another, for senders that do not speak HTTP/2.
///
/// libcurl and Python's requests exchange assertions this way, and firebase-admin for Python sends this way. Not meant
/// for load: it allocates. A request is kept whole until it has been answered.
final class HTTP1Connection {
    /// What a look at the bytes found.
    enum Progress: Equatable {
        /// More bytes are needed.
        case incomplete
        /// More bytes are needed, and the client waits to be told that it may send them.
        case awaitsGoOn
        /// A whole request is there: see `withRequest`.
        case complete
        /// The bytes are no request that we take; answer with this status and close.
        case broken(status: Int)
    }

    private static let longestHead = 16 * 1024
    private static let longestBody = 64 * 1024

    private var bytes: [UInt8] = []
    private var head: HTTP1Head?
    private var body: [UInt8] = []
    private var consumed = 0
    private var hasSaidGoOn = false
    /// The connection is to end when all has been written.
    var isLast = false
    /// The connection is to end with the answer that is sent next.
    var endsAfterAnswer = false

    /// Whether a request is being answered, so that the next one has to wait.
    private(set) var isBusy = false
    /// Whether the connection stays open after the request that was read last.
    var keepsAlive: Bool { head?.keepsAlive ?? false }
    /// Whether part of a request has come.
    var isAmidRequest: Bool { !isBusy && !bytes.isEmpty }

    /// Takes in what came, up to a limit; false if it is more than a client may send ahead.
    func receive(_ new: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + new.count <= 4 * Self.longestBody else { return false }
        bytes.append(contentsOf: new)
        return true
    }

    /// Looks for the next request.
    ///
    /// Not while one is being answered.
    func advance() -> Progress {
        precondition(!isBusy, "a request is still being answered")
        if head == nil {
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
                return bytes.count > Self.longestHead ? .broken(status: 431) : .incomplete
            }
            guard end.lowerBound <= Self.longestHead else { return .broken(status: 431) }
            switch HTTP1Head.parse(bytes[..<end.lowerBound]) {
            case .success(let parsed): head = parsed
            case .failure(let refusal): return .broken(status: refusal.status)
            }
            consumed = end.upperBound
        }
        return readBody()
    }

    private func readBody() -> Progress {
        guard let head else { preconditionFailure("a body has a head before it") }
        switch HTTP1Body.read(bytes[consumed...], framing: head.framing, longest: Self.longestBody) {
        case .incomplete:
            guard head.expectsGoOn, !hasSaidGoOn else { return .incomplete }
            hasSaidGoOn = true
            return .awaitsGoOn
        case .tooLong: return .broken(status: 413)
        case .malformed: return .broken(status: 400)
        case .complete(let content, let end):
            body = content
            consumed = end
            isBusy = true
            return .complete
        }
    }

    /// The request as hosts see it, for as long as `use` runs.
    func withRequest<Result>(_ use: (HostRequest) -> Result) -> Result {
        guard let head, isBusy else { preconditionFailure("there is no whole request") }
        return bytes.withUnsafeBytes { text in
            body.withUnsafeBytes { body in
                var request = HostRequest()
                request.method = UnsafeRawBufferPointer(rebasing: text[head.method])
                request.path = UnsafeRawBufferPointer(rebasing: text[head.target])
                if let range = head.authorization { request.authorization = .init(rebasing: text[range]) }
                if let range = head.contentType { request.contentType = .init(rebasing: text[range]) }
                request.body = body
                request.bodyLength = body.count
                return use(request)
            }
        }
    }

    /// The request has been answered: forget it.
    func answered() {
        bytes.removeFirst(consumed)
        consumed = 0
        head = nil
        body = []
        hasSaidGoOn = false
        isBusy = false
    }
}
