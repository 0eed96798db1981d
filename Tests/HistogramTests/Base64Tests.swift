import FoundationEssentials
import Testing

@testable import Histogram

@Suite("Base64")
struct Base64Tests {
    @Test("Every length comes back as Foundation wrote it", arguments: 0..<70)
    func lengths(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
        #expect(decode(Data(bytes).base64EncodedString()) == bytes)
    }

    @Test(
        "All characters, and nothing else",
        arguments: ["+/+/", "AAA", "AAAA====", "A===", "AA=A", "A-_A", "AAAA\n", "AB==", "é==="]
    )
    func characters(text: String) {
        // Foundation lets these pass, which RFC 4648 (sections 3.2 and 3.5) does not.
        let isLenient = ["AB==", "AA=A", "AAAA===="].contains(text)
        let theirs = isLenient ? nil : Data(base64Encoded: text).map { [UInt8]($0) }
        #expect(decode(text) == theirs)
    }

    private func decode(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        var memory = [UInt8](repeating: 0, count: Base64.mostBytes(of: text.count))
        let length = memory.withUnsafeMutableBufferPointer { memory in
            text.withUnsafeBufferPointer { Base64.decode($0, into: memory) }
        }
        return length.map { Array(memory.prefix($0)) }
    }
}
