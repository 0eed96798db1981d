import HTTP2

/// Encoding one APNs request and parsing the shortest answer there is (`:status: 200`, 10 bytes), on nghttp2's session.
struct ClientRequest: Benchmark {
    static let name = "http2/client-request"

    private let pushes: ClientPushes<NGHTTP2ClientSession>
    /// A WINDOW_UPDATE for the bodies, then the answers.
    private let input = Memory(byteCount: Self.updateLength + 10 * ClientPushes<NGHTTP2ClientSession>.inFlight)
    private static let updateLength = 13
    private var nextStream: UInt32 = 1

    init() throws {
        pushes = try ClientPushes()
        input.bytes.copyBytes(from: [0, 0, 4, 8])
        for position in stride(from: Self.updateLength, to: input.bytes.count, by: 10) {
            // HEADERS of one byte, END_STREAM and END_HEADERS; the stream comes later; index 8 is `:status: 200`.
            input.bytes[position...].copyBytes(from: [0, 0, 1, 1, 5, 0, 0, 0, 0, 0x88])
        }
        // SETTINGS: 1,000 streams, so that no request waits.
        let settings = Memory(byteCount: 15)
        settings.bytes.copyBytes(from: [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0x03, 0xe8])
        pushes.session.receive(UnsafeRawBufferPointer(settings.bytes))
        _ = try pushes.takeEvents()
    }

    var libraryAllocations: UInt64 { pushes.session.counters.libraryAllocations }

    mutating func run(_ count: Int) -> UInt64 {
        do {
            var left = count
            while left > 0 {
                let turn = min(left, ClientPushes<NGHTTP2ClientSession>.inFlight)
                try push(turn)
                left -= turn
            }
        } catch {
            preconditionFailure("the session fails: \(error)")
        }
        return pushes.session.counters.bytesOut
    }

    private mutating func push(_ count: Int) throws {
        try pushes.submit(count)
        while try pushes.session.collect(into: pushes.output.bytes) > 0 {}
        _ = try pushes.takeEvents()
        let bodies = UInt32(count * pushes.payloadLength)
        input.bytes.storeBytes(of: bodies.bigEndian, toByteOffset: 9, as: UInt32.self)
        for position in 0..<count {
            let offset = Self.updateLength + 10 * position + 5
            input.bytes.storeBytes(of: nextStream.bigEndian, toByteOffset: offset, as: UInt32.self)
            nextStream += 2
        }
        pushes.session.receive(input.part(0..<(Self.updateLength + 10 * count)))
        let completed = try pushes.takeEvents()
        precondition(completed == count, "\(completed) of \(count) requests were completed")
    }
}
