import Foundation

/// Bytes of a connection as a capture file, for judges that read those.
///
/// The format is libpcap's (draft-ietf-opsawg-pcap), raw IPv4 packets, TCP without checksums.
struct PacketCapture {
    static let serverPort: UInt16 = 8080
    private static let clientPort: UInt16 = 50_000
    private static let segment = 1400

    private(set) var file = Data()
    /// How many bytes each side has sent.
    private var sent = (client: UInt32(0), server: UInt32(0))

    init() {
        // Magic number, version 2.4, no time zone, no accuracy, the longest packet, LINKTYPE_RAW.
        for word in [0xA1B2_C3D4, 0x0002_0004, 0, 0, 65_535, 101] as [UInt32] { file.append(big: word) }
    }

    /// Bytes that one side sends, in segments.
    mutating func add(_ bytes: [UInt8], fromClient: Bool) {
        for start in stride(from: 0, to: bytes.count, by: Self.segment) {
            packet(Array(bytes[start..<min(start + Self.segment, bytes.count)]), fromClient: fromClient)
        }
    }

    private mutating func packet(_ payload: [UInt8], fromClient: Bool) {
        let length = UInt32(40 + payload.count)
        for word in [0, 0, length, length] { file.append(big: word) }
        // IPv4: header of five words, time to live 64, TCP, 127.0.0.1 to 127.0.0.1.
        for word in [0x4500_0000 | length, 0, 0x4006_0000, 0x7F00_0001, 0x7F00_0001] { file.append(big: word) }
        let (client, server) = (UInt32(Self.clientPort), UInt32(Self.serverPort))
        file.append(big: fromClient ? client << 16 | server : server << 16 | client)
        file.append(big: 1 &+ (fromClient ? sent.client : sent.server))
        file.append(big: 1 &+ (fromClient ? sent.server : sent.client))
        // TCP: header of five words, ACK and PSH, a window; no checksum, no urgent bytes.
        for word in [0x5018_FFFF, 0] as [UInt32] { file.append(big: word) }
        file.append(contentsOf: payload)
        if fromClient { sent.client += UInt32(payload.count) } else { sent.server += UInt32(payload.count) }
    }
}

extension Data {
    fileprivate mutating func append(big word: UInt32) { append(contentsOf: Frame.bigEndian(word)) }
}
