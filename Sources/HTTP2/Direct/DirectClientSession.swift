/// A client session with frames and header blocks of our own: the one to use where CPU per push matters.
///
/// It keeps every rule of RFC 9113 that a client can keep or see broken, as `ConformanceTests` shows section by section;
/// nghttp2 is only asked to read the same header blocks in the tests. Requests are laid out once per template, path and
/// authorization are never indexed and not Huffman-coded (`SessionCounters.bytesLostToPlainStrings` tells what that
/// costs). Nothing is allocated and nothing is hashed per push.
package final class DirectClientSession: ClientSession {
    /// The value, at an address of its own.
    ///
    /// So it is reached without the run-time checks of exclusive access that a stored property has, which would cost
    /// more than submitting a push. Nothing calls back into the session, so nothing overlaps.
    private let value: UnsafeMutablePointer<DirectClient>

    private var client: DirectClient {
        _read { yield value.pointee }
        _modify { yield &value.pointee }
    }

    package init(settings: ClientSettings) throws(HTTP2Error) {
        value = .allocate(capacity: 1)
        value.initialize(to: DirectClient(settings: settings))
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    package func prepare(_ template: RequestTemplate) -> TemplateID {
        client.encoder.prepare(template)
    }

    package func replaceField(named name: String, in template: TemplateID, with value: String) {
        client.encoder.replaceField(named: name, in: template, with: value)
    }

    package func submit(_ template: TemplateID, _ variables: RequestVariables, slot: UInt32) throws(HTTP2Error) {
        try client.submit(template, variables, slot: slot)
    }

    package func reset(slot: UInt32, code: HTTP2ErrorCode) {
        client.reset(slot: slot, code: code)
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) {
        client.receive(bytes)
    }

    package func nextEvent() throws(HTTP2Error) -> ClientEvent? {
        try client.nextEvent()
    }

    package func collect(into buffer: UnsafeMutableRawBufferPointer) throws(HTTP2Error) -> Int {
        try client.collect(into: buffer)
    }

    package var wantsWrite: Bool { client.wantsWrite }
    package var streamLimit: Int { client.streamLimit }
    package var settingsReceived: Bool { client.core.peer.isKnown }
    package var openStreams: Int { client.openStreams }
    package var counters: SessionCounters { client.counters }

    package func ping() throws(HTTP2Error) {
        try client.ping()
    }

    package func goAway(code: HTTP2ErrorCode) throws(HTTP2Error) {
        try client.goAway(code: code)
    }

    /// Whether the rest of a frame or of a header block has yet to come; for tests.
    var isMidFrame: Bool { client.core.input.isMidFrame }

    /// Passes over all stream identifiers below this one, as if they had been used; for tests of their end.
    func skipStreams(to stream: UInt32) {
        client.slots.skip(to: stream)
    }
}
