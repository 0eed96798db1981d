import Glibc
import Testing

@testable import Transport

@Suite("TLS handshake", .timeLimit(.minutes(5)))
struct HandshakeTests {
    let certificates = Certificates.shared

    @Test("A verified connection with h2", arguments: ["localhost", "push.example", "127.0.0.1", "::1"])
    func verified(name: String) throws {
        let talk = try Conversation(client: certificates.clientContext(), name: name)
        let (client, server) = try talk.shakeHands()
        #expect(client == .done)
        #expect(server == .done)
        #expect(talk.client.applicationProtocol == .http2)
        #expect(talk.server?.applicationProtocol == .http2)
        #expect(talk.client.interest == .read)
        let timings = talk.client.timings
        #expect(timings.started > 0)
        #expect(timings.started <= timings.connected)
        #expect(timings.connected < timings.secured)
        #expect(talk.client.bytesIn == talk.server?.bytesOut)
        #expect(talk.client.bytesOut == talk.server?.bytesIn)
        #expect(talk.client.bytesOut > 0)
    }

    @Test("The server's order of protocols decides, and a client may offer several")
    func protocolOrder() throws {
        let client = try TLSContext.client(caFile: certificates.ca, protocols: [.http11, .http2])
        let talk = try Conversation(client: client, server: certificates.serverContext([.http2, .http11]))
        #expect(try talk.shakeHands().client == .done)
        #expect(talk.client.applicationProtocol == .http2)
    }

    @Test("A server that does not speak h2 is refused", arguments: [[TLSContext.ApplicationProtocol.http11], []])
    func noHTTP2(spoken: [TLSContext.ApplicationProtocol]) throws {
        let talk = try Conversation(client: certificates.clientContext(), server: certificates.serverContext(spoken))
        #expect(try talk.shakeHands().client == .failed)
        #expect(talk.client.failure == .protocolNotSelected(offered: "h2", selected: "nothing was"))
        #expect(talk.client.handshake() == .failed)
        #expect(talk.client.interest == [])
    }

    @Test("A certificate by another CA is refused, and the server learns it")
    func wrongCA() throws {
        let talk = try Conversation(client: .client(caFile: certificates.otherCA))
        let (client, server) = try talk.shakeHandsToTheEnd()
        #expect(client == .failed)
        #expect(server == .failed)
        guard case .certificateRejected("localhost", let reason) = talk.client.failure else {
            Issue.record("unexpected failure \(String(describing: talk.client.failure))")
            return
        }
        #expect(reason.contains("unable to get local issuer certificate"))
        #expect(talk.server?.failure == .tls(reason: "tlsv1 alert unknown ca"))
    }

    @Test(
        "A certificate for another name is refused",
        arguments: [("other.example", "hostname mismatch"), ("127.0.0.2", "IP address mismatch")]
    )
    func wrongName(name: String, reason: String) throws {
        let talk = try Conversation(client: certificates.clientContext(), name: name)
        #expect(try talk.shakeHands().client == .failed)
        #expect(talk.client.failure == .certificateRejected(name: name, reason: reason))
    }

    @Test("Nobody listens: refused, in one line that names the address")
    func refused() throws {
        // A port that was ours a moment ago and that nobody is likely to have taken since.
        let address = try Listener().address
        let socket = try TLSSocket.connect(to: address, serverName: "localhost", context: certificates.clientContext())
        let poller = try Poller()
        try poller.add(socket.descriptor, tag: 1, interest: socket.interest)
        try poller.waitForEvent()
        #expect(poller.next()?.isWritable == true)
        #expect(socket.handshake() == .failed)
        #expect(socket.failure == .connectionRefused(address: address.description))
        #expect(socket.failure?.description == "connection to \(address) refused: nobody listens there")
    }

    @Test("A client certificate from PEM or PKCS#12 reaches a server that asks for one")
    func clientCertificate() throws {
        let server = try certificates.serverContext(clientCAFile: certificates.ca, requiresClientCertificate: true)
        let pem = TLSContext.Identity.pem(certificate: certificates.client.certificate, key: certificates.client.key)
        let contexts = [
            try TLSContext.client(caFile: certificates.ca, identity: pem),
            try TLSContext.client(caFile: certificates.ca, p12: certificates.clientP12, password: "secret"),
        ]
        for client in contexts {
            let talk = try Conversation(client: client, server: server)
            #expect(try talk.shakeHands().server == .done)
            #expect(talk.server?.peerCertificate?.subject == "UID=com.example.app,CN=client")
            #expect(talk.server?.peerCertificate?.userID == "com.example.app")
        }
    }

    @Test("Without a client certificate: refused where required, welcome where not", arguments: [true, false])
    func noClientCertificate(isRequired: Bool) throws {
        let server = try certificates.serverContext(
            clientCAFile: certificates.ca,
            requiresClientCertificate: isRequired
        )
        let talk = try Conversation(client: certificates.clientContext(), server: server)
        let result = try talk.shakeHands()
        #expect(result.server == (isRequired ? .failed : .done))
        #expect(talk.server?.peerCertificate == nil)
        if isRequired {
            #expect(talk.server?.failure == .tls(reason: "peer did not return a certificate"))
        }
    }

    @Test("A peer that speaks no TLS, and one that hangs up, each fail the handshake")
    func notTLS() throws {
        #expect(try failure(sending: "HTTP/1.1 400 Bad Request\r\n\r\n") == .tls(reason: "wrong version number"))
        #expect(try failure(sending: "") == .closedWithoutNotice)
    }

    /// How a client's handshake fails with a peer that takes the client's hello, says `text` in clear and closes.
    private func failure(sending text: String) throws -> TransportError? {
        let listener = try Listener()
        let client = try TLSSocket.connect(
            to: listener.address,
            serverName: "localhost",
            context: certificates.clientContext()
        )
        let poller = try Poller()
        let deadline = MonotonicClock.now() + Conversation.limit
        try poller.add(client.descriptor, tag: 1, interest: client.interest)
        try poller.add(listener.descriptor, tag: 2, interest: .read)
        var server: PlainSocket?
        while client.handshake() != .failed, MonotonicClock.now() < deadline {
            try poller.modify(client.descriptor, interest: client.interest)
            try poller.wait(until: deadline, at: MonotonicClock.now())
            while let event = poller.next() {
                if event.tag == 2, let connection = try listener.accept() {
                    let socket = PlainSocket(accepting: connection)
                    try poller.add(socket.descriptor, tag: 3, interest: .read)
                    server = socket
                }
                guard event.tag == 3, let socket = server else { continue }
                try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
                    guard case .bytes = socket.read(into: buffer) else { return }
                    if !text.isEmpty { #expect(socket.write(text) == .bytes(text.utf8.count)) }
                    try poller.remove(socket.descriptor)
                    socket.closeWrite()
                }
            }
        }
        return client.failure
    }
}
