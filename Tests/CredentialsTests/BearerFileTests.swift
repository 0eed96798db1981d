import Foundation
import Sending
import Testing

@testable import Credentials

@Suite("Tokens that somebody else renews in a file")
struct BearerFileTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func read(_ text: String) throws -> MadeToken {
        let file = scratch.file("token")
        try Data(text.utf8).write(to: URL(filePath: file))
        return try BearerFileSource(path: file).makeToken(clock: .system, cancellation: Cancellation())
    }

    @Test(
        "The file's one word, without white space around it",
        arguments: ["ya29.abc", "ya29.abc\n", " \tya29.abc\r\n\n"]
    )
    func reads(text: String) throws {
        #expect(String(decoding: try read(text).bytes, as: UTF8.self) == "ya29.abc")
    }

    @Test("Anything else is refused without being shown", arguments: ["two words", "\n", "tök", "a\u{7}b"])
    func refuses(text: String) throws {
        do {
            _ = try read(text)
            Issue.record("\(text.count) characters were taken for a token")
        } catch let failure as TokenFailure {
            #expect(failure.description.hasSuffix("it must be one word of ASCII"))
            #expect(!failure.description.contains("two") && !failure.description.contains("tök"))
        }
    }

    @Test("A file that was renewed is read again")
    func renewed() throws {
        let file = scratch.file("token")
        try Data("first".utf8).write(to: URL(filePath: file))
        let store = CredentialStore()
        let credential = store.credential(for: BearerFileSource(path: file), policy: .oauth)
        credential.refreshIfDue()
        try Data("second".utf8).write(to: URL(filePath: file))
        var reader = TokenReader(credential)
        let now = CredentialClock.system.monotonic()
        let before = reader.check(at: now)
        let first = reader.bytes
        #expect(before == .changed && first == Array("first".utf8))
        _ = credential.rejected(generation: 1)
        let after = reader.check(at: now)
        #expect(after == .unavailable)
    }
}
