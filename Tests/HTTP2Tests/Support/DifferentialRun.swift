@testable import HTTP2

/// One seeded conversation with both client sessions.
final class DifferentialRun {
    enum Result: Equatable {
        /// Both said the same to the end.
        case same
        /// The sessions parted where they may.
        case parted
        case different(String)
    }

    private let nghttp2: DifferentialSide
    private let direct: DifferentialSide
    private var script: ServerScript
    private var random: TestRandom
    private(set) var step = 0
    /// What was handed over last.
    private var latestBytes: [UInt8] = []
    /// The same in hexadecimal.
    var latest: String { latestBytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

    init(seed: UInt64, breakage: Int) throws {
        nghttp2 = try DifferentialSide(.nghttp2)
        direct = try DifferentialSide(.direct)
        script = ServerScript(seed: seed, breakage: breakage)
        random = TestRandom(seed: ~seed)
    }

    func play(steps: Int) throws -> Result {
        give(Frame.settings([(3, 4)]) + Frame.settingsAcknowledgement)
        while step < steps {
            step += 1
            try submitSome()
            // In the middle of a header block nghttp2 may have ended a stream that still stands with us, and written another.
            if random.oneIn(15), !direct.isMidFrame { resetOne() }
            if let result = try compare() { return result }
            give(script.next())
            if let result = try compare() { return result }
            // A GOAWAY ends the conversation: nghttp2 is deaf once nothing is open, and so parts from us.
            if direct.isGoingAway { return .same }
        }
        return .same
    }

    private var freeSlot: UInt32? {
        (0..<DifferentialSide.slots).first { !nghttp2.bench.isTaken($0) && !direct.bench.isTaken($0) }
    }

    private func submitSome() throws {
        for _ in 0..<random.below(3) {
            guard let slot = freeSlot else { return }
            let body = random.oneIn(3) ? [] : (0..<random.below(400)).map { UInt8(truncatingIfNeeded: $0) }
            let path = "/\(random.below(1000))"
            for side in [nghttp2, direct] { try side.bench.submit(slot, path: path, body: body) }
        }
    }

    private func resetOne() {
        let taken = (0..<DifferentialSide.slots).filter { nghttp2.bench.isTaken($0) && direct.bench.isTaken($0) }
        guard let slot = taken.randomElement(using: &random) else { return }
        for side in [nghttp2, direct] {
            side.bench.client.reset(slot: slot, code: .cancel)
            side.bench.pump()
        }
    }

    /// Hands the same bytes to both, cut up alike.
    private func give(_ bytes: [UInt8]) {
        latestBytes = bytes
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(random.oneIn(2) ? rest.count : 1 + random.below(rest.count)))
            rest = rest.dropFirst(piece.count)
            for side in [nghttp2, direct] { side.bench.send(piece) }
        }
    }

    /// Compares what was said since the last time; nil when both go on alike.
    private func compare() throws -> Result? {
        try nghttp2.update()
        try direct.update()
        for stream in direct.newStreams { script.sawRequest(stream) }
        for stream in direct.newResets { script.sawReset(stream) }
        // nghttp2 acts on the beginning of a header block, we on whole ones: wait for the rest.
        if direct.isMidFrame && direct.bench.failure == nil { return nghttp2.bench.failure == nil ? nil : .parted }
        if let result = compareFailures() { return result }
        let (left, right) = (nghttp2.takeStories(), direct.takeStories())
        if left == right { return nil }
        // Deaf since a GOAWAY, which may have come with more behind it: what nghttp2 has told is the beginning of ours.
        if direct.isGoingAway, left.allSatisfy({ right[$0.key]?.starts(with: $0.value) ?? false }) { return .parted }
        if let stream = streamOfEmptyData, left["stream \(stream)"] == nil,
            right["stream \(stream)"] == ["reset \([0, 0, 0, 1] as [UInt8])"]
        {
            return .parted
        }
        let subject = Set(left.keys).union(right.keys).sorted().first { left[$0] != right[$0] } ?? ""
        return .different("\(subject): nghttp2 \(left[subject] ?? []), direct \(right[subject] ?? [])")
    }

    /// The stream of the latest frame, if that is DATA with nothing in it, or nothing but padding.
    ///
    /// DATA before the response's HEADERS is a PROTOCOL_ERROR of the stream (RFC 9113, section 8.1), but nghttp2 looks at that only
    /// where there is something in it. A stream that ends makes room for the next request, so that all may differ from there.
    private var streamOfEmptyData: UInt32? {
        guard latestBytes.count >= 9, latestBytes[3] == FrameType.data else { return nil }
        let payload = latestBytes.count - 9
        let isPadded = latestBytes[4] & FrameFlag.padded != 0
        guard payload == 0 || isPadded && payload == 1 + Int(latestBytes[9]) else { return nil }
        return latestBytes[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// nil while both go on.
    private func compareFailures() -> Result? {
        switch (nghttp2.bench.failure, direct.bench.failure) {
        case (nil, nil): nil
        case (.some(let left), nil): Self.mayFailAlone(left) ? .parted : .different("nghttp2 only: \(left)")
        case (nil, .some(let right)): Self.mayFailAlone(right) ? .parted : .different("direct only: \(right)")
        case (.some(let left), .some(let right)): Self.compare(left, right)
        }
    }

    private static func compare(_ left: HTTP2Error, _ right: HTTP2Error) -> Result {
        switch (left, right) {
        // Which of two rules that one frame breaks is seen first is a matter of order.
        case (.violation(let left, _), .violation(let right, _)): left == right ? .same : .parted
        // TOO_MANY_CONTINUATIONS is fatal in nghttp2, with no GOAWAY.
        case (.library(_, -905), .violation(.enhanceYourCalm, _)): .same
        default: .different("nghttp2 \(left), direct \(right)")
        }
    }

    /// Whether one session may end the connection where the other goes on.
    private static func mayFailAlone(_ failure: HTTP2Error) -> Bool {
        guard case .violation(let code, let reason) = failure else { return false }
        let forgiven = [
            // nghttp2 makes a connection error of a stream error.
            "DATA: stream in half-closed", "HEADERS: stream closed", "WINDOW_UPDATE: window_size_increment == 0",
            "DATA: stream not opened", "depend on itself",
            // nghttp2 makes a stream error of a connection error (RFC 9113, section 6.9.2).
            "SETTINGS_INITIAL_WINDOW_SIZE lifts",
            // nghttp2 does not look into DATA that it lets go by, such as that of a stream it has reset (section 6.1).
            "DATA with more padding than payload", "DATA too short for its pad length",
            // nghttp2 waits for padding and priority first.
            "HEADERS on stream 0",
            // nghttp2 does not look at the size of CONTINUATION frames.
            "frame larger than SETTINGS_MAX_FRAME_SIZE",
        ]
        // nghttp2 gives no reason for a PRIORITY frame of the wrong size, which is a stream error (section 6.3).
        return forgiven.contains { reason.hasPrefix($0) } || code == .frameSizeError && reason.isEmpty
    }
}
