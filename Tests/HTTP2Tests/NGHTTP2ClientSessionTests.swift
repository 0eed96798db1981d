import Testing

@testable import HTTP2

@Suite struct NGHTTP2ClientSessionTests {
    /// Everything the session has to send now.
    private func collectAll(_ session: NGHTTP2ClientSession, bufferSize: Int = 16384) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try session.collect(into: buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    @Test func opensWithThePrefaceAndSettings() throws {
        let session = try NGHTTP2ClientSession(settings: ClientSettings(slots: 4))
        #expect(session.wantsWrite)
        let bytes = try collectAll(session, bufferSize: 7)
        #expect(bytes.starts(with: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)))
        #expect(bytes[24...].starts(with: [0, 0, 18, 4, 0, 0, 0, 0, 0]))
        #expect(!session.wantsWrite)
        #expect(session.streamLimit == 100)
        #expect(!session.settingsReceived)
    }

    @Test func writesARequestAndReportsIt() throws {
        let session = try NGHTTP2ClientSession(settings: ClientSettings(slots: 4))
        let template = session.prepare(
            RequestTemplate(fields: [
                HeaderField(":method", "POST"), HeaderField(":scheme", "https"), HeaderField(":path", .path),
                HeaderField(":authority", "localhost"),
                HeaderField("authorization", "bearer x", indexing: .neverIndexed),
            ])
        )
        _ = try collectAll(session)
        let path = Array("/3/device/abc".utf8)
        let body = Array("hello".utf8)
        try path.withUnsafeBytes { path in
            try body.withUnsafeBytes { body in
                try session.submit(template, RequestVariables(path: path, body: body), slot: 3)
                #expect(session.openStreams == 1)
                let bytes = try collectAll(session)
                #expect(bytes.suffix(14) == [0, 0, 5, 0, 1, 0, 0, 0, 1] + body)
                let event = try session.nextEvent()
                #expect(event?.kind == .written)
                #expect(event?.slot == 3)
                #expect(try session.nextEvent() == nil)
            }
        }
    }
}
