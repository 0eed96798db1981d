import Testing

@testable import Transport

@Suite("TLS handshake")
struct HandshakeTests {
    let certificates = Certificates.shared

    func serverContext(_ protocols: [TLSContext.ApplicationProtocol] = [.http2]) throws -> TLSContext {
        let (certificate, key) = certificates.server
        return try .server(identity: .pem(certificate: certificate, key: key), protocols: protocols)
    }

    @Test("A verified connection with h2", arguments: ["localhost", "push.example", "127.0.0.1", "::1"])
    func verified(name: String) throws {
        let talk = try Conversation(client: .client(caFile: certificates.ca), server: serverContext(), name: name)
        let (client, server) = try talk.shakeHands()
        #expect(client == .done)
        #expect(server == .done)
        #expect(talk.client.applicationProtocol == .http2)
        let timings = talk.client.timings
        #expect(timings.started > 0)
        #expect(timings.started <= timings.connected)
        #expect(timings.connected < timings.secured)
        #expect(talk.client.bytesIn == talk.server?.bytesOut)
        #expect(talk.client.bytesOut > 0)
    }
}
