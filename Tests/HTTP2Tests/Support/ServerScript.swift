@testable import HTTP2

/// What a server might send, from a seed: mostly lawful answers to the requests that are open, in any order and cut up
/// anyhow, with the oddities that the protocol allows, and now and then something broken.
struct ServerScript {
    private var random: TestRandom
    /// How often a frame is broken on purpose: once in so many, or 0 for never.
    private let breakage: Int
    /// Streams that the server knows, with what it has sent on each.
    private var open: [UInt32: Progress] = [:]
    private var seen: UInt32 = 0
    private var lastStream = UInt32(Int32.max)

    private enum Progress {
        case nothing
        case header
    }

    init(seed: UInt64, breakage: Int) {
        random = TestRandom(seed: seed)
        self.breakage = breakage
    }

    /// A request came.
    mutating func sawRequest(_ stream: UInt32) {
        seen = max(seen, stream)
        if stream <= lastStream { open[stream] = .nothing }
    }

    /// The client gave up a stream.
    mutating func sawReset(_ stream: UInt32) {
        open[stream] = nil
    }

    /// The next frame, or the frames of the next header block.
    mutating func next() -> [UInt8] {
        var frame = lawful()
        if breakage > 0, random.oneIn(breakage) { mutate(&frame) }
        return frame
    }

    private mutating func lawful() -> [UInt8] {
        let streams = open.keys.sorted()
        guard let stream = streams.randomElement(using: &random) else { return aside() }
        switch random.below(10) {
        case 0: return aside()
        case 1 where random.oneIn(4):
            open[stream] = nil
            return Frame.reset(stream, code: UInt32(random.below(15)))
        default: return answer(stream)
        }
    }

    private mutating func answer(_ stream: UInt32) -> [UInt8] {
        if open[stream] == .header { return more(stream) }
        if random.oneIn(8) { return header(stream, [(":status", "103"), ("x-hint", "1")], end: false) }
        let status = ["200", "400", "403", "410", "429", "503", "204"].randomElement(using: &random) ?? "200"
        var fields = [(":status", status)]
        if random.oneIn(2) { fields.append(("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b")) }
        if random.oneIn(3) { fields.append(("retry-after", "\(random.below(100))")) }
        let ends = status == "204" || random.oneIn(2)
        open[stream] = ends ? nil : .header
        return header(stream, fields, end: ends)
    }

    private mutating func more(_ stream: UInt32) -> [UInt8] {
        let ends = random.oneIn(2)
        if ends { open[stream] = nil }
        if ends && random.oneIn(4) { return header(stream, [("x-trailer", "t")], end: true) }
        let body = (0..<random.below(60)).map { UInt8(truncatingIfNeeded: $0) }
        if random.oneIn(4) {
            let padding = random.below(20)
            let payload = [UInt8(padding)] + body + Array(repeating: 0, count: padding)
            return Frame.make(0, flags: ends ? 9 : 8, stream: stream, payload)
        }
        return Frame.data(stream, body, end: ends)
    }

    private mutating func header(_ stream: UInt32, _ fields: [(String, String)], end: Bool) -> [UInt8] {
        let block = random.oneIn(3) && fields.count == 1 && fields[0].1 == "200" ? Frame.status200 : coded(fields)
        if random.oneIn(5), block.count > 2 {
            let cut = random.below(block.count)
            return Frame.headers(stream, Array(block[..<cut]), end: end, endHeaders: false)
                + Frame.continuation(stream, Array(block[cut...]))
        }
        if random.oneIn(6) {
            return Frame.make(1, flags: (end ? 0x2d : 0x2c), stream: stream, [3, 0, 0, 0, 0, 9] + block + [0, 0, 0])
        }
        return Frame.headers(stream, block, end: end)
    }

    /// Literals of every kind; those with indexing fill the client's table.
    private mutating func coded(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value -> [UInt8] in
            let kind: UInt8 = [0x00, 0x10, 0x40][random.below(3)]
            let text = random.oneIn(2) ? HPACKCoding.shortest(value) : HPACKCoding.plain(value)
            return [kind] + HPACKCoding.plain(name) + text
        }
    }

    /// Frames that concern no answer.
    private mutating func aside() -> [UInt8] {
        switch random.below(9) {
        case 0: return Frame.ping()
        case 1: return Frame.settings([(3, UInt32(random.below(6)))])
        case 2: return Frame.settings([(4, UInt32(random.below(200))), (1, UInt32(random.below(5000)))])
        case 3: return Frame.windowUpdate(0, UInt32(1 + random.below(1000)))
        case 4:
            // Never so much that windows overflow.
            guard let stream = open.keys.sorted().randomElement(using: &random) else { return [] }
            return Frame.windowUpdate(stream, UInt32(1 + random.below(100)))
        case 5: return Frame.make(0xb0, flags: 0xff, stream: UInt32(random.below(9)), [1, 2, 3])
        case 6: return Frame.make(2, stream: UInt32(1 + 2 * random.below(9)), [0, 0, 0, 0, 9])
        case 7 where random.oneIn(30):
            lastStream = min(lastStream, seen | 1)
            return Frame.goAway(last: lastStream, code: UInt32(random.below(3)), debug: "later")
        default: return Frame.settings()
        }
    }

    /// Breaks a frame somewhere.
    private mutating func mutate(_ frame: inout [UInt8]) {
        guard !frame.isEmpty else { return }
        switch random.below(6) {
        case 0: frame[random.below(frame.count)] ^= 1 << UInt8(random.below(8))
        case 1: frame[random.below(min(9, frame.count))] = UInt8(random.below(256))
        case 2: frame.removeLast(1 + random.below(frame.count))
        case 3: frame.insert(UInt8(random.below(256)), at: random.below(frame.count))
        case 4: frame += frame
        default: frame[3 % frame.count] = UInt8(random.below(11))
        }
    }
}
