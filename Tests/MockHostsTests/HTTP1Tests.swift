import Hosts
import Testing

@testable import MockHosts

/// Requests of HTTP/1.1 as bytes.
@Suite struct HTTP1Tests {
    struct Request: Equatable {
        var method: String
        var path: String
        var authorization: String
        var body: String
    }

    private func receive(_ connection: HTTP1Connection, _ text: String) -> HTTP1Connection.Progress {
        #expect(Array(text.utf8).withUnsafeBytes { connection.receive($0) })
        return connection.advance()
    }

    private func request(_ connection: HTTP1Connection) -> Request {
        connection.withRequest { request in
            func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
            return Request(
                method: text(request.method),
                path: text(request.path),
                authorization: text(request.authorization),
                body: text(request.body)
            )
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", Request(method: "GET", path: "/", authorization: "", body: "")),
        (
            "POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
            Request(method: "POST", path: "/token", authorization: "", body: "hello")
        ),
        (
            "POST /a?b HTTP/1.1\r\nAUTHORIZATION: \t Bearer x \r\ncontent-length:0\r\n\r\n",
            Request(method: "POST", path: "/a?b", authorization: "Bearer x", body: "")
        ),
        (
            "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nTrailer: x\r\n\r\n",
            Request(method: "POST", path: "/a", authorization: "", body: "hello!")
        ),
        ("GET / HTTP/1.0\nHost: x\r\n\r\n", Request(method: "GET", path: "/", authorization: "", body: "")),
    ])
    func aRequestIsRead(_ text: String, _ expected: Request) {
        let whole = HTTP1Connection()
        #expect(receive(whole, text) == .complete)
        #expect(request(whole) == expected)

        // The same, a byte at a time.
        let slow = HTTP1Connection()
        for character in text.unicodeScalars.dropLast() {
            #expect(receive(slow, String(character)) == .incomplete)
            #expect(slow.isAmidRequest)
        }
        #expect(receive(slow, String(text.unicodeScalars.suffix(1))) == .complete)
        #expect(request(slow) == expected)
    }

    @Test(arguments: [
        ("\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\n: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n", 400), ("POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\ncontent-length: 99999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nx\r\n", 400),
        ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n", 400),
        ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nfffffff\r\n", 413),
        ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n" + String(repeating: "0", count: 300), 400),
        ("GET / HTTP/1.1\r\nx: " + String(repeating: "y", count: 20_000), 431),
        ("GET / HTTP/1.1\r\nx: " + String(repeating: "y", count: 20_000) + "\r\n\r\n", 431),
    ])
    func brokenBytesAreRefused(_ text: String, _ status: Int) {
        #expect(receive(HTTP1Connection(), text) == .broken(status: status))
    }

    @Test func requestsWaitForEachOther() {
        let connection = HTTP1Connection()
        #expect(receive(connection, "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n") == .complete)
        #expect(request(connection).path == "/1")
        #expect(connection.keepsAlive)
        connection.answered()
        #expect(connection.advance() == .complete)
        #expect(request(connection).path == "/2")
        #expect(!connection.keepsAlive)
        connection.answered()
        #expect(connection.advance() == .incomplete)
        #expect(!connection.isAmidRequest)
    }

    @Test func aClientThatWaitsIsToldToGoOnOnce() {
        let connection = HTTP1Connection()
        let head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\ncontent-length: 2\r\n\r\n"
        #expect(receive(connection, head) == .awaitsGoOn)
        #expect(connection.advance() == .incomplete)
        #expect(receive(connection, "ab") == .complete)
    }

    @Test func whatIsSentAheadHasALimit() {
        let connection = HTTP1Connection()
        let much = [UInt8](repeating: 0x61, count: 100_000)
        let taken = (0..<5).map { _ in much.withUnsafeBytes { connection.receive($0) } }
        #expect(taken == [true, true, false, false, false])
    }

    @Test func aResponseSaysItsLengthAndItsEnd() {
        let bytes = HTTP1Response.bytes(status: 404, headers: [("a", "b")], body: [0x78], keepsAlive: false)
        let text = "HTTP/1.1 404 Not Found\r\na: b\r\ncontent-length: 1\r\nconnection: close\r\n\r\nx"
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
