/// The bodies of the FCM host's answers, laid out once.
package struct FCMBodyBook: Sendable {
    private let successStart: [UInt8]
    /// The refusals that are always the same, at the index of their reason.
    private let fixed: [[UInt8]]

    init(projectID: String, _ bodies: FCMBodies) {
        successStart = Array("{\n  \"name\": \"projects/\(projectID)/messages/".utf8)
        fixed = FCMReason.allCases.map { bodies.fixed($0) ?? [] }
    }

    /// The longest body of an accepted message.
    package var longestSuccess: Int { successStart.count + 64 }

    /// The body of a refusal.
    package func refusal(_ reason: FCMReason, _ answer: FCMAnswer) -> [UInt8] {
        answer.ownBody.isEmpty ? fixed[Int(reason.rawValue)] : answer.ownBody
    }

    /// The body of an accepted message, in memory of its own.
    package func success(_ id: FCMAnswer.MessageID) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: longestSuccess) { buffer, count in
            count = writeSuccess(id, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Writes the body of an accepted message, `{"name": "projects/<project>/messages/<id>"}` printed as Google prints
    /// it, and returns its length.
    package func writeSuccess(_ id: FCMAnswer.MessageID, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var writer = ByteWriter(buffer)
        successStart.withUnsafeBytes { writer.append($0) }
        switch id {
        case .number(let microseconds, let tail):
            writer.append("0:")
            writer.append(decimal: microseconds)
            writer.append("%")
            writer.append(hexadecimal: tail)
        case .validated:
            writer.append("fake_message_id")
        }
        writer.append("\"\n}\n")
        return writer.count
    }
}
