/// Which revision of the source this executable was built in.
enum GitRevision {
    /// The commit that is checked out in the folder that the executable lies in, or `unknown` outside of a checkout.
    static func ofCheckout(around executable: String) -> String {
        var folder = executable[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            if let head = text(of: "\(folder)/.git/HEAD") { return commit(head, in: "\(folder)/.git") ?? "unknown" }
        }
        return "unknown"
    }

    private static func commit(_ head: String, in folder: String) -> String? {
        guard head.hasPrefix("ref: ") else { return head }
        let name = String(head.dropFirst("ref: ".count))
        if let commit = text(of: "\(folder)/\(name)") { return commit }
        let packed = text(of: "\(folder)/packed-refs") ?? ""
        let line = packed.split(separator: "\n").first { $0.hasSuffix(" \(name)") }
        return line.flatMap { $0.split(separator: " ").first }.map(String.init)
    }

    private static func text(of path: String) -> String? {
        guard let bytes = try? ResultFileReader.read(path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.reversed().drop { $0.isNewline }.reversed())
    }
}
