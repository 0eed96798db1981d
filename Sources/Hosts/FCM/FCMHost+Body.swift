extension FCMHost {
    /// The longest body of an accepted message.
    package var longestSuccess: Int { successStart.count + 64 }

    /// The body of an answer, for as long as `use` runs.
    ///
    /// `scratch` is memory of at least `longestSuccess` bytes to write the name of an accepted message in.
    package func withBody<Result, Failure>(
        of answer: FCMAnswer,
        scratch: UnsafeMutableRawBufferPointer,
        _ use: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let reason = answer.reason else {
            let count = writeSuccess(answer.messageID, into: scratch)
            return try use(UnsafeRawBufferPointer(rebasing: scratch[0..<count]))
        }
        let body = answer.ownBody.isEmpty ? fixedBodies[Int(reason.rawValue)] : answer.ownBody
        return try body.withUnsafeBufferPointer { (body) throws(Failure) in try use(UnsafeRawBufferPointer(body)) }
    }

    /// Writes `{"name": "projects/<project>/messages/<id>"}`, printed as Google prints it.
    private func writeSuccess(_ id: FCMAnswer.MessageID, into buffer: UnsafeMutableRawBufferPointer) -> Int {
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

extension UInt8 {
    /// The characters of base64url, of which tokens consist.
    var isTokenCharacter: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    /// "[a-zA-Z0-9-_.~%]+" (Firebase, topic names).
    var isTopicCharacter: Bool {
        isTokenCharacter || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") || self == UInt8(ascii: "%")
    }
}
