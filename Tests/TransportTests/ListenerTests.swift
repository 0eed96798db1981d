import Testing

@testable import Transport

@Suite("Listener and addresses", .timeLimit(.minutes(5)))
struct ListenerTests {
    @Test("Port 0 becomes a real one, on loopback, and nobody waits at first")
    func anyPort() throws {
        let listener = try Listener()
        #expect(listener.address.port != 0)
        #expect(listener.address.isLoopback)
        #expect(try listener.accept() == nil)
    }

    @Test("A port in use is refused in one line that names it")
    func portInUse() throws {
        let first = try Listener()
        let expected = TransportError.addressInUse(address: first.address.description)
        #expect(throws: expected) { try Listener(on: first.address) }
        #expect(
            expected.description == "cannot listen on \(first.address): the port is in use; choose another or 0"
        )
    }

    @Test("A port is free again as soon as its listener has gone")
    func portReused() throws {
        let address = try Listener().address
        #expect(try Listener(on: address).address == address)
    }

    @Test("An address that is not ours is refused")
    func foreignAddress() throws {
        // TEST-NET-1 (RFC 5737): nobody's.
        let address = try #require(SocketAddress(literal: "192.0.2.1", port: 0))
        #expect(throws: TransportError.self) { try Listener(on: address) }
        do throws(TransportError) {
            _ = try Listener(on: address)
        } catch {
            #expect(error.label == "address-refused")
        }
    }

    @Test("A caller is accepted with its address, on IPv4 and IPv6", arguments: ["127.0.0.1", "::1"])
    func accepts(host: String) throws {
        let listener = try Listener(on: try #require(SocketAddress(literal: host, port: 0)))
        let client = try PlainSocket(connectingTo: listener.address)
        let poller = try Poller()
        try poller.add(listener.descriptor, tag: 0, interest: .read)
        try poller.waitForEvent()
        guard let accepted = try listener.accept() else {
            Issue.record("nobody was accepted")
            return
        }
        let connection = PlainSocket(accepting: accepted)
        #expect(connection.peer.host == host)
        #expect(connection.peer.port != 0)
        #expect(client.write("hello") == .bytes(5))
        try poller.add(connection.descriptor, tag: 1, interest: .read)
        try poller.waitForEvent()
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            #expect(connection.read(into: buffer) == .bytes(5))
            #expect(String(decoding: buffer.prefix(5), as: UTF8.self) == "hello")
            #expect(connection.read(into: buffer) == .wouldBlock)
        }
        client.close()
        try poller.waitForEvent()
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            #expect(connection.read(into: buffer) == .closed)
        }
    }

    @Test(
        "Addresses in digits",
        arguments: [
            ("127.0.0.1", "127.0.0.1:443"), ("::1", "[::1]:443"), ("[::1]", "[::1]:443"),
            ("2001:DB8::0:7", "[2001:db8::7]:443"), ("255.255.255.255", "255.255.255.255:443"),
        ]
    )
    func literals(text: String, description: String) {
        #expect(SocketAddress(literal: text, port: 443)?.description == description)
    }

    @Test(
        "Names are not digits",
        arguments: ["localhost", "", "127.0.0.1.2", "1.2.3", "[127.0.0.1", "::1]", "api.push.apple.com"]
    )
    func notLiterals(text: String) {
        #expect(SocketAddress(literal: text, port: 443) == nil)
    }

    @Test("Digits and localhost resolve; a name that cannot be one does not")
    func resolve() throws {
        #expect(try SocketAddress.resolve(host: "127.0.0.1", port: 1) == [.loopback(port: 1)])
        let local = try SocketAddress.resolve(host: "localhost", port: 8443)
        #expect(local.allSatisfy { $0.isLoopback && $0.port == 8443 })
        do throws(TransportError) {
            _ = try SocketAddress.resolve(host: "no such host", port: 1)
            Issue.record("a name with spaces was resolved")
        } catch {
            #expect(error.label == "name-not-resolved")
            #expect(error.description.hasPrefix("cannot resolve \"no such host\": "))
        }
    }
}
