/// Writes HTTP/1.1 responses (RFC 9112).
enum HTTP1Response {
    /// What a server says before a client that asked `Expect: 100-continue` sends its body.
    static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    static func bytes(
        status: Int,
        headers: [(name: String, value: String)],
        body: [UInt8],
        keepsAlive: Bool
    ) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(phrase(status))\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "content-length: \(body.count)\r\n"
        if !keepsAlive { head += "connection: close\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
