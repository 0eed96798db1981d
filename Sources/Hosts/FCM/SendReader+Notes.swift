/// What the host wants to remember of a body, and FCM's own rules about single fields.
extension SendReader {
    mutating func note(_ value: JSONReader.Text, as field: SendSchema.Field) throws(BodyProblem) {
        switch field.role {
        case .token: try target(.token, value, field)
        case .fid: try target(.fid, value, field)
        case .topic: try target(.topic, value, field)
        case .condition: try target(.condition, value, field)
        case .payload: request.payloadSize += value.bytes.count
        case .collapsing: request.isCollapsible = request.isCollapsible || !value.bytes.isEmpty
        case .none, .validateOnly, .message, .data, .lifetime, .thirdParty: break
        }
    }

    mutating func note(objectOf field: SendSchema.Field) {
        switch field.role {
        case .message: request.hasMessage = true
        case .collapsing: request.isCollapsible = true
        case .thirdParty: request.needsThirdParty = true
        case .none, .validateOnly, .token, .fid, .topic, .condition, .data, .lifetime, .payload: break
        }
    }

    private mutating func target(
        _ kind: SendRequest.Target,
        _ name: JSONReader.Text,
        _ field: SendSchema.Field
    ) throws(BodyProblem) {
        guard request.target == nil else { throw BodyProblem(.secondTarget(name: field.snake.description)) }
        request.target = kind
        request.name = name
    }

    /// A member of `data`.
    ///
    /// Keys are not free: "from", "message_type", or anything starting with "google" or "gcm".
    mutating func note(key: JSONReader.Text, value: JSONReader.Text) throws(BodyProblem) {
        request.payloadSize += key.bytes.count + value.bytes.count
        let name = json.text[key.bytes].bytes
        guard
            name.starts(with: "google") || name.starts(with: "gcm") || name.equals("from")
                || name.equals("message_type")
        else { return }
        throw BodyProblem(.rule("Invalid data payload key: \(quotable(key))"))
    }
}
