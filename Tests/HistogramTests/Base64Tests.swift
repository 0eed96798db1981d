import FoundationEssentials
import Testing

@testable import Histogram

@Suite("Base64")
struct Base64Tests {
    @Test("Every length comes back as Foundation wrote it", arguments: 0..<70)
    func lengths(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
        #expect(Base64.decode(Data(bytes).base64EncodedString()) == bytes)
    }

    @Test(
        "All characters, and nothing else",
        arguments: ["+/+/", "AAA", "AAAA====", "A===", "AA=A", "A-_A", "AAAA\n", "AB==", "é==="]
    )
    func characters(text: String) {
        let theirs = text == "AB==" ? nil : Data(base64Encoded: text).map { [UInt8]($0) }
        #expect(Base64.decode(text) == theirs)
    }
}
