import Testing

@testable import Driver

@Suite("Host URLs")
struct HostURLTests {
    @Test(
        "Names, addresses and ports",
        arguments: [
            ("https://api.push.apple.com", "api.push.apple.com", 443, "api.push.apple.com"),
            ("https://api.push.apple.com:2197", "api.push.apple.com", 2197, "api.push.apple.com:2197"),
            ("https://127.0.0.1:8443/", "127.0.0.1", 8443, "127.0.0.1:8443"),
            ("https://[::1]:8443", "::1", 8443, "[::1]:8443"),
            ("https://[::1]", "::1", 443, "[::1]"),
        ] as [(String, String, UInt16, String)]
    )
    func accepted(url: String, name: String, port: UInt16, authority: String) {
        let parsed = HostURL(parsing: url)
        #expect(parsed?.name == name)
        #expect(parsed?.port == port)
        #expect(parsed?.authority == authority)
    }

    @Test("A proxy's URL has another scheme and port; the host that it is asked for always has its port")
    func proxies() throws {
        #expect(try HostURL(proxy: "http://proxy", lane: "fcm").port == 80)
        #expect(try HostURL(proxy: "http://[::1]:3128", lane: "fcm").port == 3128)
        #expect(throws: RunError.self) { try HostURL(proxy: "https://proxy", lane: "fcm") }
        #expect(HostURL(parsing: "https://api.push.apple.com")?.endpoint == "api.push.apple.com:443")
        #expect(HostURL(parsing: "https://[::1]:8443")?.endpoint == "[::1]:8443")
    }

    @Test(
        "What is no host",
        arguments: [
            "", "http://host", "https://", "https://host:0", "https://host:65536", "https://host:x", "https://:443",
            "https://host/path", "https://user@host", "https://host?x", "https://a b",
        ]
    )
    func refused(url: String) {
        #expect(HostURL(parsing: url) == nil)
        #expect(throws: RunError.self) { try HostURL(url, lane: "fcm") }
    }
}
