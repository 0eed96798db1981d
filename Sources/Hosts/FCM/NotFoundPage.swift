/// The page that Google's front end shows for a path that leads nowhere.
///
/// That is what senders of the retired `/fcm/send` and `/batch` paths get today: HTML, not JSON.
enum NotFoundPage {
    static func body(path: UnsafeRawBufferPointer) -> [UInt8] {
        let start = """
            <!DOCTYPE html>
            <html lang=en>
              <meta charset=utf-8>
              <meta name=viewport content="initial-scale=1, minimum-scale=1, width=device-width">
              <title>Error 404 (Not Found)!!1</title>
              <p><b>404.</b> <ins>That’s an error.</ins>
              <p>The requested URL <code>
            """
        let end = """
            </code> was not found on this server.  <ins>That’s all we know.</ins>

            """
        return Array(start.utf8) + escaped(path) + Array(end.utf8)
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
