import LoadPlan
import Testing

@testable import Sending

@Suite("Bodies with placeholders")
struct BodyLayoutTests {
    private func fill(_ text: String, index: UInt64 = 0, token: String = "", app: String = "") -> String {
        let layout = BodyLayout(Array(text.utf8))
        var memory = [UInt8](repeating: 0, count: layout.longest)
        let (token, app) = (Array(token.utf8), Array(app.utf8))
        let length = memory.withUnsafeMutableBytes { memory in
            token.withUnsafeBytes { token in
                app.withUnsafeBytes { layout.write(index: index, token: token, app: $0, into: memory) }
            }
        }
        return String(decoding: memory[..<length], as: UTF8.self)
    }

    @Test(
        "Each stands for its own, everywhere; other braces are text",
        arguments: [
            ("", ""), ("plain", "plain"), ("{token}", "abc"), ("{index}{index}", "4242"),
            ("<{app}|{token}|{index}>", "<a.b|abc|42>"),
            ("{\"k\":{}}", "{\"k\":{}}"), ("{tokens} {Token} {token", "{tokens} {Token} {token"),
            ("{{token}}", "{abc}"),
        ]
    )
    func filling(text: String, filled: String) {
        #expect(fill(text, index: 42, token: "abc", app: "a.b") == filled)
    }

    @Test("Every length of an index", arguments: [0, 9, 10, 99, 100, 12_345, UInt64.max])
    func indices(index: UInt64) {
        #expect(fill("[{index}]", index: index) == "[\(index)]")
    }

    @Test("Only a text without placeholders serves every push; the longest body is known before")
    func constant() {
        #expect(BodyLayout(Array("a{b}".utf8)).constant == Array("a{b}".utf8))
        let layout = BodyLayout(Array("a{index}b{token}c{app}".utf8))
        #expect(layout.constant == nil)
        #expect(layout.longest == 3 + 20 + 200 + 155)
        #expect(layout.longest == Placeholder.longestFilled("a{index}b{token}c{app}"))
    }
}
