/// Which revision of the source this executable was built in.
enum GitRevision {
    /// The commit that is checked out in the folder that the executable lies in, or `unknown` outside of a checkout.
    static func ofCheckout(around executable: String) -> String {
        var folder = executable[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            let repository = repository(in: String(folder))
            if let head = text(of: "\(repository)/HEAD") { return commit(head, in: repository) ?? "unknown" }
        }
        return "unknown"
    }

    /// Where a checkout's repository is: in `.git`, or for one of several worktrees where the file of that name says.
    private static func repository(in folder: String) -> String {
        let path = "\(folder)/.git"
        let prefix = "gitdir: "
        guard let link = text(of: path), link.hasPrefix(prefix) else { return path }
        return absolute(String(link.dropFirst(prefix.count)), from: folder)
    }

    private static func absolute(_ path: String, from folder: String) -> String {
        path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    private static func commit(_ head: String, in repository: String) -> String? {
        guard head.hasPrefix("ref: ") else { return head }
        let name = String(head.dropFirst("ref: ".count))
        // Worktrees share their branches with the checkout that they come from.
        let shared = text(of: "\(repository)/commondir").map { absolute($0, from: repository) } ?? repository
        if let commit = text(of: "\(shared)/\(name)") { return commit }
        let packed = text(of: "\(shared)/packed-refs") ?? ""
        let line = packed.split(separator: "\n").first { $0.hasSuffix(" \(name)") }
        return line.flatMap { $0.split(separator: " ").first }.map(String.init)
    }

    private static func text(of path: String) -> String? {
        guard let bytes = try? ResultFileReader.read(path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.reversed().drop { $0.isNewline }.reversed())
    }
}
