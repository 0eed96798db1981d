import CCurl
import Synchronization

/// Exchanges assertions for access tokens at a token endpoint, over https only, certificates always verified.
///
/// One exchange blocks its thread until there is an answer or a time limit has passed, so it belongs on a thread
/// that sends nothing. Each exchange has a connection of its own: the next one is most of an hour away.
package struct OAuthClient: Sendable {
    /// The CA to trust, in PEM; nil for those of the system.
    package var caFile: String?
    /// How long connecting (TCP and TLS) may take, in nanoseconds.
    package var connectLimit: Int64 = 10_000_000_000
    /// How long the whole exchange may take, in nanoseconds.
    package var totalLimit: Int64 = 30_000_000_000
    /// The proxy's URL; nil takes what the environment says (`https_proxy`), an empty one means none.
    package var proxy: String?

    package init(caFile: String? = nil) {
        self.caFile = caFile
    }

    /// Whether assertions may be sent to such a URL.
    package static func isAcceptable(url: String) -> Bool {
        let prefix = "https://"
        guard url.utf8.count > prefix.utf8.count, url.lowercased().hasPrefix(prefix) else { return false }
        return url.utf8.allSatisfy {
            (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
    }

    /// Sends one assertion to `url` and returns the access token that came back.
    ///
    /// Gives up within about a second once `cancellation` is set. Redirects are not followed: an assertion is for
    /// the host it names.
    package func exchange(
        assertion: [UInt8],
        at url: String,
        cancellation: Cancellation = Cancellation()
    ) throws(OAuthError) -> AccessToken {
        guard Self.isAcceptable(url: url) else { throw OAuthError(url: url, fault: .notHTTPS) }
        do {
            let transfer = try CurlTransfer()
            try transfer.configure(url: url, client: self)
            let answer = try transfer.post(OAuthExchange.form(assertion: assertion), cancellation: cancellation)
            return try OAuthExchange.read(
                status: answer.status,
                body: answer.body,
                retryAfter: answer.retryAfter
            )
        } catch {
            throw OAuthError(url: url, fault: error)
        }
    }
}

/// Tells a thread that waits in an exchange to give up.
package final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }
    package func cancel() { flag.store(true, ordering: .relaxed) }
}
