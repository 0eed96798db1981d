import HTTP2
import LoadPlan
import MockHosts
import Testing
import Transport

/// Bytes that a client should not send, and clients that stop in the middle: each ends its own connection at worst.
@Suite struct MalformedBytesTests {
    private func expectService(_ mock: MockFixture) throws {
        let sender = try TestSender(to: .apnsProduction, of: mock)
        let headers = GoodRequest.apnsHeaders(token: try mock.providerToken())
        let response = try sender.send(path: GoodRequest.apnsPath, headers: headers, body: GoodRequest.payload)
        #expect(response.status == 200)
    }

    /// The mock's frames in answer to these bytes, up to the end of the connection.
    private func frames(_ bytes: [UInt8], _ mock: MockFixture) throws -> [Frames.Frame] {
        let wire = try Wire(to: .apnsProduction, of: mock)
        try wire.write(bytes)
        let frames = Frames()
        try frames.read(wire) { _ in false }
        return frames.all
    }

    /// A header block whose one literal, put into the table, is then named again and again.
    static let bomb: [UInt8] = {
        let literal: [UInt8] = [0x40, 0x01, 0x78, 0x7F, 0x81, 0x1E] + [UInt8](repeating: 0x79, count: 3968)
        return [0x83, 0x87, 0x84] + literal + [UInt8](repeating: 0xBE, count: 12_000)
    }()

    static let breaches: [(name: String, bytes: [UInt8], code: UInt8)] = [
        ("an unknown frame is no breach, DATA without a stream is", Frames.frame(type: 77) + data(stream: 0), 1),
        ("DATA on a stream that was never opened", data(stream: 1), 1),
        ("PRIORITY of the wrong length", Frames.frame(type: 2, stream: 1, payload: [0, 0, 0]), 6),
        ("RST_STREAM of the wrong length", Frames.get(stream: 1) + Frames.frame(type: 3, stream: 1, payload: [0]), 6),
        ("SETTINGS that are no multiple of six", Frames.frame(type: 4, payload: [0, 1, 0]), 6),
        ("SETTINGS on a stream", Frames.frame(type: 4, stream: 1), 1),
        ("a window above the limit", Frames.frame(type: 4, payload: [0, 4, 0xFF, 0xFF, 0xFF, 0xFF]), 3),
        ("a frame size below the least", Frames.frame(type: 4, payload: [0, 5, 0, 0, 0, 1]), 1),
        ("PUSH_PROMISE from a client", Frames.frame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2, 0x82]), 1),
        ("GOAWAY of the wrong length", Frames.frame(type: 7, payload: [0, 0, 0]), 6),
        ("GOAWAY on a stream", Frames.frame(type: 7, stream: 1, payload: [UInt8](repeating: 0, count: 8)), 1),
        ("padding longer than its frame", Frames.frame(type: 1, flags: 0x0D, stream: 1, payload: [9, 0x82]), 1),
        ("HEADERS cut off by another frame", Frames.frame(type: 1, stream: 1, payload: [0x82]) + Frames.ping, 1),
        ("a stream that goes backwards", Frames.get(stream: 5) + Frames.get(stream: 3), 5),
        ("an index beyond HPACK's table", Frames.frame(type: 1, flags: 5, stream: 1, payload: [0xFF, 0x80, 0x10]), 9),
        (
            "an integer without an end",
            Frames.frame(type: 1, flags: 5, stream: 1, payload: [0x7F] + [UInt8](repeating: 0xFF, count: 20)), 9
        ),
        (
            "a table size above the limit", Frames.frame(type: 1, flags: 5, stream: 1, payload: [0x3F, 0xE1, 0xFF, 3]),
            9
        ),
        (
            "Huffman code that ends in the middle",
            Frames.frame(type: 1, flags: 5, stream: 1, payload: [0x00, 0x81, 0xFE, 0x00]), 9
        ),
    ]

    private static func data(stream: UInt32) -> [UInt8] { Frames.frame(type: 0, stream: stream, payload: [1]) }

    @Test(arguments: breaches.indices) func aBreachGetsItsCode(_ index: Int) throws {
        let mock = try MockFixture()
        let breach = Self.breaches[index]
        let answer = try frames(Frames.opening + breach.bytes, mock)
        let goAway = try #require(answer.last { $0.type == 7 }, "\(breach.name)")
        #expect(goAway.payload.dropFirst(4).prefix(4) == [0, 0, 0, breach.code], "\(breach.name)")
        try expectService(mock)
    }

    /// Twelve thousand fields of 4 KB from 16 KB of header block: read, but not kept.
    @Test func aBombOfHeadersIsNotKept() throws {
        let mock = try MockFixture()
        let wire = try Wire(to: .apnsProduction, of: mock)
        let bomb = Frames.frame(type: 1, flags: 5, stream: 1, payload: Self.bomb)
        try wire.write(Frames.opening + bomb)
        let frames = Frames()
        // A stream's error, a connection's, or an answer that says no: all are right, as long as it is one of them.
        try frames.read(wire) { $0.contains { [1, 3, 7].contains($0.type) } }
        #expect(frames.all.contains { [1, 3, 7].contains($0.type) })
        try expectService(mock)
    }

    /// HEADERS and CONTINUATION without an end.
    @Test func endlessHeadersAreCutOff() throws {
        let mock = try MockFixture()
        let wire = try Wire(to: .apnsProduction, of: mock)
        let field: [UInt8] = [0x00, 0x01, 0x78, 0x7F, 0x81, 0x06] + [UInt8](repeating: 0x79, count: 896)
        let block = [UInt8]((0..<16).map { _ in field }.joined())
        try wire.write(Frames.opening + Frames.frame(type: 1, stream: 1, payload: block))
        let more = Frames.frame(type: 9, stream: 1, payload: block)
        for _ in 0..<100 { try wire.write(more) }
        let frames = Frames()
        try frames.read(wire) { $0.contains { $0.type == 7 } }
        #expect(frames.all.contains { $0.type == 7 })
        try expectService(mock)
    }

    @Test func aPrefaceByteByByte() throws {
        let mock = try MockFixture()
        let wire = try Wire(to: .apnsProduction, of: mock)
        for byte in Frames.opening { try wire.write([byte]) }
        let frames = Frames()
        try frames.read(wire) { $0.contains { $0.type == 4 && $0.flags == 1 } }
        #expect(frames.all.contains { $0.type == 4 && $0.flags == 1 })
    }

    /// Clients that close their half after each byte of a request, and read on.
    @Test func halfClosedSockets() throws {
        let mock = try MockFixture()
        let request = Frames.opening + Frames.settingsAcknowledgement + Frames.get(stream: 1)
        for count in stride(from: 0, through: request.count, by: 7) {
            let wire = try Wire(to: .apnsProduction, of: mock)
            if count > 0 { try wire.write(Array(request[..<count])) }
            wire.socket.closeWrite()
            _ = try wire.readToTheEnd()
            try wire.close()
        }
        try expectService(mock)
    }
}
