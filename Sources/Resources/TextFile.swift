import Glibc

/// Small files of `/proc`, `/sys` and `/etc`, read whole.
enum TextFile {
    /// The contents of a file, which `/proc` makes up while it is read, so that its size is not known before.
    static func read(_ path: String) throws(ResourceError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, code: errno) }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                guard errno == EINTR else { throw .file(path: path, code: errno) }
                continue
            }
            guard count > 0 else { return String(decoding: contents, as: UTF8.self) }
            contents += chunk.prefix(count)
        }
    }

    /// What follows `name` and the separator on the first line that starts with it, without spaces around.
    static func field(_ name: String, separator: Character = ":", in text: String) -> String? {
        for line in text.split(separator: "\n") {
            guard let position = line.firstIndex(of: separator) else { continue }
            guard trimmed(line[..<position]) == name else { continue }
            return trimmed(line[line.index(after: position)...])
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let rest = text.drop { $0.isWhitespace }
        return String(rest.reversed().drop { $0.isWhitespace }.reversed())
    }
}
