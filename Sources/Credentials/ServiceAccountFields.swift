import FoundationEssentials

/// The fields of a service account's file; all optional, so that every missing one can be named at once.
struct ServiceAccountFields: Decodable {
    let type: String?
    let projectID: String?
    let privateKeyID: String?
    /// White space by now: only its presence and type count.
    let privateKey: String?
    let clientEmail: String?
    let tokenURI: String?

    private enum CodingKeys: String, CodingKey {
        case type
        case projectID = "project_id"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case clientEmail = "client_email"
        case tokenURI = "token_uri"
    }

    static func decode(_ bytes: UnsafeRawBufferPointer, source: String) throws(CredentialError) -> Self {
        do {
            return try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            let fault = JSONFault(error)
            guard case .wrongType(let wanted) = fault.reason, let field = fault.field else {
                throw CredentialError(file: source, fault: .notJSON(reason: fault.text))
            }
            throw CredentialError(file: source, fault: .badField(field, found: "of another type", allowed: wanted))
        }
    }

    /// Refuses a file of another kind, one that lacks fields, and values that a request could not carry.
    func check(source: String) throws(CredentialError) {
        if let type, type != "service_account" {
            let found = "\"\(displayable(type))\""
            throw CredentialError(file: source, fault: .badField("type", found: found, allowed: "\"service_account\""))
        }
        let missing = [
            ("type", type), ("project_id", projectID), ("private_key_id", privateKeyID),
            ("private_key", privateKey), ("client_email", clientEmail), ("token_uri", tokenURI),
        ]
        .filter { $0.1 == nil }.map(\.0)
        guard missing.isEmpty else { throw CredentialError(file: source, fault: .missingFields(missing)) }
        for value in values where !value.isAllowed {
            let found = value.text.isEmpty ? "empty" : "\"\(displayable(value.text))\""
            throw CredentialError(file: source, fault: .badField(value.name, found: found, allowed: value.allowed))
        }
    }

    private struct Value {
        let name: String
        let text: String
        let isAllowed: Bool
        let allowed: String
    }

    /// Every rule also keeps out what JSON or a URL would have to escape.
    private var values: [Value] {
        let (project, keyID, email) = (projectID ?? "", privateKeyID ?? "", clientEmail ?? "")
        return [
            Value(
                name: "project_id",
                text: project,
                isAllowed: consists(project, ofLettersDigitsAnd: "-.:"),
                allowed: "letters, digits, \"-\", \".\" or \":\""
            ),
            Value(
                name: "private_key_id",
                text: keyID,
                isAllowed: consists(keyID, ofLettersDigitsAnd: "-_"),
                allowed: "letters, digits, \"-\" or \"_\""
            ),
            Value(
                name: "client_email",
                text: email,
                isAllowed: consists(email, ofLettersDigitsAnd: "-_.+@:") && email.dropFirst().dropLast().contains("@"),
                allowed: "an e-mail address"
            ),
            Value(
                name: "token_uri",
                text: tokenURI ?? "",
                isAllowed: OAuthClient.isAcceptable(url: tokenURI ?? ""),
                allowed: "an https URL"
            ),
        ]
    }

    private func consists(_ text: String, ofLettersDigitsAnd others: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || others.utf8.contains($0)
            }
    }
}
