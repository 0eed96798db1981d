import TestSupport
import Testing

@testable import Transport

@Suite("The way through a proxy")
struct ProxyTests {
    private static func address(of proxy: ConnectProxy) throws -> SocketAddress {
        let port = try #require(proxy.url.split(separator: ":").last.flatMap { UInt16($0) })
        return .loopback(port: port)
    }

    @Test("TLS goes through it to the server, whose certificate is verified all the same")
    func opens() throws {
        let proxy = try ConnectProxy()
        defer { proxy.stop() }
        let talk = try Conversation(client: Certificates.shared.clientContext(), proxy: Self.address(of: proxy))
        let results = try talk.shakeHandsToTheEnd()
        #expect(results.client == .done && results.server == .done, "\(String(describing: talk.client.failure))")
        #expect(proxy.endpoints == [talk.endpoint])
        #expect(talk.client.timings.connected > 0 && talk.client.timings.secured >= talk.client.timings.connected)
        let stranger = try Conversation(
            client: Certificates.shared.clientContext(),
            name: "other.example",
            proxy: Self.address(of: proxy)
        )
        #expect(try stranger.shakeHands().client == .failed)
        #expect(stranger.client.failure?.label == "certificate-rejected")
    }

    @Test(
        "A proxy that says no, or nothing that is an answer, is named with its reason",
        arguments: [
            ("HTTP/1.1 403 Forbidden\r\n\r\n", "it answers with 403"),
            ("HTTP/1.0 407 Proxy Authentication Required\r\nA: b\r\n\r\n", "it answers with 407"),
            ("HTTP/1.1 20 OK\r\n\r\n", "it answers with no HTTP"), ("ICY 200 OK\r\n\r\n", "it answers with no HTTP"),
            ("", "the connection was closed before an answer"),
            ("HTTP/1.1 200 OK\r\n", "the connection was closed before an answer"),
            ("HTTP/1.1 200 OK\r\n\r\nmore", "it goes on talking after its answer"),
            ("HTTP/1.1 200 OK\r\n" + String(repeating: "x", count: 20_000), "its answer has no end"),
        ]
    )
    func refuses(answer: String, reason: String) throws {
        let proxy = try ConnectProxy(answering: answer)
        defer { proxy.stop() }
        let address = try Self.address(of: proxy)
        let talk = try Conversation(client: Certificates.shared.clientContext(), proxy: address)
        #expect(try talk.shakeHands().client == .failed)
        #expect(talk.client.failure == .proxyRefused(address: address.description, reason: reason))
    }
}
