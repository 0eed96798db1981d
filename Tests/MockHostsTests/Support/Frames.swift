/// HTTP/2 frames as they lie on the wire, for senders that break the rules.
final class Frames {
    struct Frame: Equatable {
        var type: UInt8
        var flags: UInt8
        var stream: UInt32
        var payload: [UInt8]
    }

    private(set) var all: [Frame] = []
    private var rest: [UInt8] = []

    /// Reads until `isEnough`, or the end of the connection.
    func read(_ wire: Wire, until isEnough: ([Frame]) -> Bool) throws {
        while !isEnough(all), let bytes = try wire.read() {
            rest += bytes
            while let frame = next() { all.append(frame) }
        }
    }

    private func next() -> Frame? {
        guard rest.count >= 9 else { return nil }
        let length = Int(rest[0]) << 16 | Int(rest[1]) << 8 | Int(rest[2])
        guard rest.count >= 9 + length else { return nil }
        let stream = rest[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
        let frame = Frame(type: rest[3], flags: rest[4], stream: stream, payload: Array(rest[9..<9 + length]))
        rest.removeFirst(9 + length)
        return frame
    }

    static let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4)
    static let settingsAcknowledgement = frame(type: 4, flags: 1)
    static let ping = frame(type: 6, payload: [UInt8](repeating: 0, count: 8))

    /// A request that is complete: GET https /, from HPACK's static table.
    static func get(stream: UInt32) -> [UInt8] {
        frame(type: 1, flags: 5, stream: stream, payload: [0x82, 0x87, 0x84, 0x41, 0x01, 0x78])
    }

    static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) -> [UInt8] {
        let length = payload.count
        let head: [UInt8] = [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
        return head + (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * UInt32($0))) } + payload
    }
}
