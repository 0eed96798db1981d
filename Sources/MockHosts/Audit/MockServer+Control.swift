import FoundationEssentials
import Hosts
import Transport

/// The control port: plain HTTP on loopback, for whoever watches the mock.
///
/// `GET /pushbench/audit` gives the audit so far as JSON, `GET /pushbench/audit?format=text` as text;
/// `POST /pushbench/topics/NAME` lets the APNs keys send to one more topic.
extension MockServer {
    private static let mostControls = 64
    private static let topics = "/pushbench/topics/"

    /// Something happened on the control port's listener or on one of its connections.
    func serveControl(_ tag: UInt64) throws(TransportError) {
        guard tag != Self.controlTags else { return try acceptControls() }
        guard let control = controls[tag] else { return }
        while true {
            switch control.socket.read(into: buffers.input) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: buffers.input[0..<count])
                if let head = control.take(bytes) { control.answer(controlAnswer(to: head)) }
            case .wouldBlock:
                if control.write() { return close(control) }
                return try poller.modify(control.socket.descriptor, interest: control.answer.isEmpty ? .read : .write)
            case .closed, .failed:
                // Its end of the connection may be closed already, while it still reads.
                _ = control.write()
                return close(control)
            }
        }
    }

    private func acceptControls() throws(TransportError) {
        do throws(TransportError) {
            while let accepted = try controlListener.accept() {
                // Whoever is too many is closed at once.
                guard controls.count < Self.mostControls else { continue }
                let socket = PlainSocket(accepting: accepted)
                lastControl += 1
                let tag = Self.controlTags | lastControl
                try poller.add(socket.descriptor, tag: tag, interest: .read)
                controls[tag] = ControlConnection(socket, tag: tag, deadline: now + ControlConnection.timeLimit)
            }
        } catch .tooManyDescriptors {
            // One waits until others have gone; level-triggered, so it comes up again with the next turn.
        }
    }

    func close(_ control: ControlConnection) {
        // Fails only if the kernel forgot the descriptor, which it can't while the socket holds it.
        try? poller.remove(control.socket.descriptor)
        control.socket.close()
        controls[control.tag] = nil
    }

    private func controlAnswer(to head: [UInt8]) -> [UInt8] {
        func plain(_ status: Int, _ text: String) -> [UInt8] {
            HTTP1Response.bytes(
                status: status,
                headers: [("content-type", "text/plain; charset=utf-8")],
                body: Array(text.utf8),
                keepsAlive: false
            )
        }
        let line = head.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
        guard line.count == 3 else { return plain(400, "This is no request.\n") }
        let target = String(decoding: line[1], as: UTF8.self)
        if line[0].elementsEqual("POST".utf8), target.hasPrefix(Self.topics) {
            let isAdded = deciders.add(topic: String(target.dropFirst(Self.topics.count)))
            return isAdded ? plain(200, "Added, for connections to come.\n") : plain(400, "This is no topic.\n")
        }
        guard line[0].elementsEqual("GET".utf8) else { return plain(405, "Allowed: GET.\n") }
        switch target {
        case "/pushbench/audit":
            return HTTP1Response.bytes(
                status: 200,
                headers: [("content-type", "application/json")],
                body: auditJSON,
                keepsAlive: false
            )
        case "/pushbench/audit?format=text": return plain(200, auditReport.text)
        default: return plain(404, "Known: /pushbench/audit and /pushbench/audit?format=text.\n")
        }
    }

    private var auditJSON: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(auditReport) else {
            preconditionFailure("a report of numbers and texts can't be written as JSON")
        }
        return Array(data) + [UInt8(ascii: "\n")]
    }
}
