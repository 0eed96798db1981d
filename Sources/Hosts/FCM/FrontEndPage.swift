/// The pages of Google's front end: HTML, where a sender expects JSON.
enum FrontEndPage {
    /// For a path that leads nowhere: what senders of the retired `/fcm/send` and `/batch` paths get today.
    static func notFound(path: UnsafeRawBufferPointer) -> [UInt8] {
        page(
            404,
            title: "Error 404 (Not Found)!!1",
            text: Array("The requested URL <code>".utf8) + escaped(path)
                + Array("</code> was not found on this server.".utf8)
        )
    }

    /// For a service that the front end can't reach.
    static let badGateway = page(
        502,
        title: "Error 502 (Server Error)!!1",
        text: Array(
            "The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds."
                .utf8
        )
    )

    private static func page(_ status: Int, title: String, text: [UInt8]) -> [UInt8] {
        let start = """
            <!DOCTYPE html>
            <html lang=en>
              <meta charset=utf-8>
              <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
              <title>\(title)</title>
              <p><b>\(status).</b> <ins>That’s an error.</ins>
              <p>
            """
        let end = "  <ins>That’s all we know.</ins>\n"
        return Array(start.utf8) + text + Array(end.utf8)
    }

    /// The path as text of a page, cut at 256 bytes.
    private static func escaped(_ path: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        for byte in path.prefix(256) {
            switch byte {
            case UInt8(ascii: "<"): result.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): result.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "&"): result.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "\""): result.append(contentsOf: "&quot;".utf8)
            case 0x20..<0x7F: result.append(byte)
            default: result.append(UInt8(ascii: "?"))
            }
        }
        return result
    }
}
