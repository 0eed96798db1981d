import Testing

@testable import Credentials

@Suite struct Base64URLTests {
    /// RFC 4648 section 10 without padding, RFC 7515 appendix C, and the two characters that differ from base64.
    private static let pairs: [([UInt8], String)] = [
        ([], ""),
        (Array("f".utf8), "Zg"),
        (Array("fo".utf8), "Zm8"),
        (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"),
        (Array("fooba".utf8), "Zm9vYmE"),
        (Array("foobar".utf8), "Zm9vYmFy"),
        ([3, 236, 255, 224, 193], "A-z_4ME"),
        ([0, 0, 0], "AAAA"),
        ([255, 255, 255], "____"),
        ([251, 239, 190], "----"),
    ]

    @Test(arguments: pairs)
    func convertsBothWays(bytes: [UInt8], text: String) {
        #expect(String(decoding: Base64URL.encode(bytes), as: UTF8.self) == text)
        #expect(Base64URL.encodedCount(bytes.count) == text.utf8.count)
        #expect(Base64URL.decode(text.utf8) == bytes)
    }

    @Test(arguments: ["Z", "Zm9vY", "Zg==", "Zm9=", "Zm+v", "Zm/v", "Zm 9v", "Zm9v\n", "Zh", "Zm9", "ZmÖ"])
    func refuses(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func everyLengthComesBack() {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}
