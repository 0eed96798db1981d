import CCurl

/// One POST or GET through libcurl's easy interface, and the owner of its handle.
struct CurlTransfer: ~Copyable {
    struct Answer {
        var status: Int
        var body: [UInt8]
        /// Seconds, from `Retry-After` in either of its forms.
        var retryAfter: Int64?
        /// One of libcurl's `CURL_HTTP_VERSION_...`.
        var version = 0
    }

    private let handle: UnsafeMutableRawPointer

    /// curl_global_init is safe from several threads only since libcurl 7.84, and only where built so.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init() throws(OAuthError.Fault) {
        guard Self.isReady, let handle = curl_easy_init() else {
            throw .connection(code: Int(CURLE_FAILED_INIT.rawValue), reason: "libcurl does not start")
        }
        self.handle = handle
    }

    deinit { curl_easy_cleanup(handle) }

    func configure(url: String, client: OAuthClient) throws(OAuthError.Fault) {
        try set(CURLOPT_URL, url)
        try set(CURLOPT_PROTOCOLS_STR, "https")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(client.connectLimit))
        try set(CURLOPT_TIMEOUT_MS, milliseconds(client.totalLimit))
        if let proxy = client.proxy { try set(CURLOPT_PROXY, proxy) }
        if let caFile = client.caFile {
            try set(CURLOPT_CAINFO, caFile)
            // The system's directory of CAs would be trusted beside the file.
            try check(libcurl_setopt_string(handle, CURLOPT_CAPATH, nil))
        }
    }

    func post(_ form: [UInt8], cancellation: Cancellation) throws(OAuthError.Fault) -> Answer {
        try check(form.withUnsafeBytes { libcurl_set_body(handle, $0.baseAddress, $0.count) })
        return try perform(cancellation)
    }

    /// The answer's header lines come before its body.
    func get() throws(OAuthError.Fault) -> Answer {
        try set(CURLOPT_HEADER, 1)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        return try perform(Cancellation())
    }

    private func perform(_ cancellation: Cancellation) throws(OAuthError.Fault) -> Answer {
        let received = Received()
        let reason = ReasonBuffer()
        try check(libcurl_set_writer(handle, Received.writer, Unmanaged.passUnretained(received).toOpaque()))
        try check(libcurl_set_progress(handle, stopWhenCancelled, Unmanaged.passUnretained(cancellation).toOpaque()))
        try check(libcurl_setopt_pointer(handle, CURLOPT_ERRORBUFFER, reason.memory.baseAddress))
        // The three objects are lent to libcurl for the length of this call.
        let code = withExtendedLifetime((received, reason, cancellation)) { curl_easy_perform(handle) }
        guard code == CURLE_OK else {
            throw received.isTooLong ? received.fault : Self.fault(code, reason: reason.text)
        }
        var version = 0
        try check(libcurl_getinfo_long(handle, CURLINFO_HTTP_VERSION, &version))
        return Answer(status: status, body: received.body, retryAfter: retryAfter, version: version)
    }

    private var status: Int {
        var status = 0
        return libcurl_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0
    }

    private var retryAfter: Int64? {
        var seconds: curl_off_t = 0
        guard libcurl_getinfo_offset(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK else { return nil }
        return seconds > 0 ? Int64(seconds) : nil
    }

    private func set(_ option: CURLoption, _ value: Int) throws(OAuthError.Fault) {
        try check(libcurl_setopt_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(OAuthError.Fault) {
        try check(libcurl_setopt_string(handle, option, value))
    }

    /// Setting an option fails only for lack of memory, or when this libcurl was built without what it needs.
    private func check(_ code: CURLcode) throws(OAuthError.Fault) {
        guard code == CURLE_OK else { throw Self.fault(code, reason: "") }
    }

    /// At least one: for libcurl a limit of 0 is none at all.
    private func milliseconds(_ nanoseconds: Int64) -> Int { Int(max(1, nanoseconds / 1_000_000)) }

    /// What a failed transfer means (libcurl-errors, section CURLcode).
    private static func fault(_ code: CURLcode, reason: String) -> OAuthError.Fault {
        let reason = displayable(reason.isEmpty ? String(cString: curl_easy_strerror(code)) : reason)
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
            .unreachable(reason: reason)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(reason: reason)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .untrusted(reason: reason)
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_UNSUPPORTED_PROTOCOL: .notHTTPS
        default: .connection(code: Int(code.rawValue), reason: reason)
        }
    }
}

/// The body as it comes in, up to a limit.
private final class Received {
    private(set) var body: [UInt8] = []
    private(set) var isTooLong = false

    var fault: OAuthError.Fault {
        .badAnswer(status: 200, reason: "a body of more than \(OAuthExchange.longestAnswer) bytes")
    }

    /// Takes a piece; false refuses it, which ends the transfer.
    private func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        isTooLong = body.count + piece.count > OAuthExchange.longestAnswer
        if !isTooLong { body.append(contentsOf: piece) }
        return !isTooLong
    }

    static let writer: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
        bytes,
        size,
        count,
        user in
        guard let user else { return 0 }
        let received = Unmanaged<Received>.fromOpaque(user).takeUnretainedValue()
        let total = size * count
        return received.append(UnsafeRawBufferPointer(start: bytes, count: total)) ? total : 0
    }
}

private func stopWhenCancelled(
    user: UnsafeMutableRawPointer?,
    _: curl_off_t,
    _: curl_off_t,
    _: curl_off_t,
    _: curl_off_t
) -> Int32 {
    guard let user else { return 0 }
    return Unmanaged<Cancellation>.fromOpaque(user).takeUnretainedValue().isCancelled ? 1 : 0
}

/// Where libcurl writes its reason in words; a fixed address for as long as the transfer may run.
private final class ReasonBuffer {
    let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() { memory.initialize(repeating: 0) }
    deinit { memory.deallocate() }

    var text: String { memory.baseAddress.map { String(cString: $0) } ?? "" }
}
