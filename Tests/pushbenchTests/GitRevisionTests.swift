import Foundation
import Testing

@testable import pushbench

@Suite("Git revision")
struct GitRevisionTests {
    private static let commit = "0123456789abcdef0123456789abcdef01234567"

    /// The files of a checkout, and where an executable lies in it.
    @Test(
        "The commit is found from anywhere in a checkout",
        arguments: [
            (["a/.git/HEAD": commit], "a/.build/debug/pushbench", commit),
            (["a/.git/HEAD": "ref: refs/heads/x\n", "a/.git/refs/heads/x": commit + "\n"], "a/pushbench", commit),
            (
                ["a/.git/HEAD": "ref: refs/heads/x", "a/.git/packed-refs": "# pack\n\(commit) refs/heads/x\n"],
                "a/pushbench",
                commit
            ),
            (
                [
                    "a/.git": "gitdir: ../main/.git/worktrees/a\n", "main/.git/worktrees/a/HEAD": "ref: refs/heads/x\n",
                    "main/.git/worktrees/a/commondir": "../..\n", "main/.git/refs/heads/x": commit,
                ], "a/b/pushbench", commit
            ),
            (["a/.git/HEAD": "ref: refs/heads/unborn"], "a/pushbench", "unknown"),
            (["a/pushbench": ""], "a/pushbench", "unknown"),
        ]
    )
    func revision(files: [String: String], executable: String, expected: String) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "pushbench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (name, text) in files {
            let file = root.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        #expect(GitRevision.ofCheckout(around: root.path + "/" + executable) == expected)
    }
}
