@testable import HTTP2

/// One of two sessions that are compared: what it has said since the last comparison, as text.
final class DifferentialSide {
    /// How many slots are used; the session has more, so that no stream is passed over.
    static let slots: UInt32 = 8

    let bench: ClientBench
    private let decoder: HeaderBlock.Decoder
    private var unfinishedBlock: [UInt8] = []
    /// Streams whose HEADERS went out, and streams that were reset, since the last comparison.
    private(set) var newStreams: [UInt32] = []
    private(set) var newResets: [UInt32] = []
    /// Per slot, what happened to its request; per stream, what was sent; and the rest.
    private var stories: [String: [String]] = [:]
    private(set) var isGoingAway = false

    init(_ kind: SessionKind) throws {
        bench = try ClientBench(kind, .new, settings: ClientSettings(slots: 64))
        decoder = try HeaderBlock.Decoder()
    }

    /// Whether the direct session waits for the rest of a frame or of a header block.
    var isMidFrame: Bool { (bench.client as? DirectClientSession)?.isMidFrame ?? false }

    /// Takes up what has been said.
    func update() throws {
        for event in bench.events { take(event) }
        bench.events.removeAll(keepingCapacity: true)
        newStreams.removeAll(keepingCapacity: true)
        newResets.removeAll(keepingCapacity: true)
        for frame in bench.frames { try take(frame) }
        bench.frames.removeAll(keepingCapacity: true)
    }

    /// What was said since the last call, sorted by what it is about.
    func takeStories() -> [String: [String]] {
        defer { stories.removeAll(keepingCapacity: true) }
        return stories
    }

    private func tell(_ subject: String, _ what: String) {
        stories[subject, default: []].append(what)
    }

    private func take(_ event: ClientBench.Event) {
        let slot = "slot \(event.slot)"
        switch event.kind {
        case .written: tell(slot, "written")
        case .headers:
            tell(slot, "\(event.status) \(event.endStream) \(String(decoding: event.bytes, as: UTF8.self))")
        // Pieces of a body may be cut differently.
        case .data: for byte in event.bytes { tell(slot, "\(byte)") }
        case .closed: tell(slot, "closed \(event.code) \(event.endStream)")
        case .settings: tell("settings", "\(event.number)")
        case .pong: tell("pong", "")
        case .goAway:
            isGoingAway = true
            tell("goaway", "\(event.number) \(event.code) \(String(decoding: event.bytes, as: UTF8.self))")
        }
    }

    private func take(_ frame: ParsedFrame) throws {
        let stream = "stream \(frame.stream)"
        switch frame.type {
        case FrameType.headers, FrameType.continuation:
            unfinishedBlock += frame.payload
            if frame.flags & FrameFlag.endHeaders == 0 { return }
            for field in try decoder.decode(unfinishedBlock).sorted(by: { $0.name < $1.name }) {
                tell(stream, "\(field.name): \(field.value)")
            }
            unfinishedBlock.removeAll()
            newStreams.append(frame.stream)
        case FrameType.data:
            for byte in frame.payload { tell(stream, "\(byte)") }
            if frame.flags & FrameFlag.endStream != 0 { tell(stream, "end") }
        case FrameType.resetStream:
            tell(stream, "reset \(frame.payload)")
            newResets.append(frame.stream)
        case FrameType.ping: tell("ping", "\(frame.flags) \(frame.payload)")
        case FrameType.settings where frame.flags == FrameFlag.acknowledgement: tell("acknowledgement", "")
        // Windows are given back by rules of each session's own; GOAWAY is the failure.
        default: break
        }
    }
}
