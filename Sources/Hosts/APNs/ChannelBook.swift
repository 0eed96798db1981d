/// The broadcast channels of one environment's apps, up to a number for each app.
struct ChannelBook: Sendable {
    /// Whether a message is kept for devices that are away (`message-storage-policy`).
    enum Storage: UInt8, Sendable {
        case none = 0
        case mostRecent = 1
    }

    /// Channel ids are this many random bytes, in base64.
    private static let idLength = 16
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private let most: Int
    private var channels: [String: [[UInt8]: Storage]] = [:]

    init(most: Int) {
        self.most = most
    }

    /// The id of a new channel; nil if the app has too many.
    mutating func make(for app: String, _ storage: Storage, using numbers: inout SplitMix) -> [UInt8]? {
        guard channels[app, default: [:]].count < most else { return nil }
        let id = Self.newID(using: &numbers)
        channels[app, default: [:]][id] = storage
        return id
    }

    /// How a channel keeps messages; nil if the app has no such channel.
    func storage(of id: [UInt8], for app: String) -> Storage? { channels[app]?[id] }

    /// Removes a channel; false if there was none.
    mutating func remove(_ id: [UInt8], for app: String) -> Bool {
        channels[app]?.removeValue(forKey: id) != nil
    }

    /// The ids of an app's channels, in order.
    func all(for app: String) -> [String] {
        (channels[app] ?? [:]).keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Whether these are the characters of such an id.
    static func isWellFormed(_ id: UnsafeRawBufferPointer) -> Bool {
        let digits = (8 * idLength + 5) / 6
        return id.count == digits + 2 && id.part(0, digits).allSatisfy(alphabet.contains)
            && id.part(digits, id.count).equals("==")
    }

    private static func newID(using numbers: inout SplitMix) -> [UInt8] {
        var id: [UInt8] = []
        var (bits, count): (UInt64, Int) = (0, 0)
        for _ in 0..<idLength {
            bits = bits << 8 | numbers.next() & 0xFF
            count += 8
            while count >= 6 {
                count -= 6
                id.append(alphabet[Int(bits >> UInt64(count) & 63)])
            }
        }
        // 128 bits are 21 digits and two bits more.
        id.append(alphabet[Int(bits << 4 & 63)])
        return id + Array("==".utf8)
    }
}
