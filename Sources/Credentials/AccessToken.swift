import FoundationEssentials

/// A bearer token that an OAuth host gave.
///
/// Its text never shows in a description or a dump.
package struct AccessToken: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The token's characters: printable ASCII without spaces, fit for a header.
    package let bytes: [UInt8]
    /// Seconds from the request until the host no longer takes it; at least 1.
    package let expiresIn: Int64

    package var description: String { "access token of \(bytes.count) characters, valid for \(expiresIn) s" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What the token endpoint is asked, and what its answers mean (RFC 7523 section 2.1, RFC 6749 sections 5.1 and 5.2).
package enum OAuthExchange {
    /// The form that carries an assertion.
    ///
    /// A JSON web token has no character that a form must escape.
    package static func form(assertion: [UInt8]) -> [UInt8] {
        Array("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=".utf8) + assertion
    }

    /// The longest answer that is read.
    package static let longestAnswer = 64 * 1_024

    /// Reads an answer; `retryAfter` is its header in seconds.
    package static func read(
        status: Int,
        body: [UInt8],
        retryAfter: Int64? = nil
    ) throws(OAuthError.Fault) -> AccessToken {
        switch status {
        case 200: return try accessToken(body)
        case 429, 500...599:
            throw .unavailable(status: status, retryAfter: retryAfter, detail: complaint(body)?.line)
        case 400..<500:
            guard let complaint = complaint(body) else {
                throw .badAnswer(status: status, reason: "a body that is no OAuth error")
            }
            throw .refused(status: status, error: complaint.error, detail: complaint.detail)
        default: throw .badAnswer(status: status, reason: "a status that the protocol does not know")
        }
    }

    private static func accessToken(_ body: [UInt8]) throws(OAuthError.Fault) -> AccessToken {
        let answer: Answer
        do {
            answer = try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            throw .badAnswer(status: 200, reason: "a bad body: \(JSONFault(error).text)")
        }
        let bytes = Array(answer.accessToken.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw .badAnswer(status: 200, reason: "an access_token that fits no header")
        }
        guard answer.tokenType.map({ $0.lowercased() == "bearer" }) ?? true else {
            throw .badAnswer(status: 200, reason: "a token_type other than Bearer")
        }
        guard (1..<1e9).contains(answer.expiresIn) else {
            throw .badAnswer(status: 200, reason: "expires_in \(answer.expiresIn), which is no length of time")
        }
        return AccessToken(bytes: bytes, expiresIn: Int64(answer.expiresIn))
    }

    private struct Answer: Decodable {
        let accessToken: String
        let expiresIn: Double
        let tokenType: String?

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case expiresIn = "expires_in"
            case tokenType = "token_type"
        }
    }

    private struct Complaint: Decodable {
        let error: String
        let description: String?

        private enum CodingKeys: String, CodingKey {
            case error
            case description = "error_description"
        }

        var detail: String? { description.map { displayable($0) } }
        var line: String { detail.map { "\(error): \($0)" } ?? error }
    }

    /// The form that Google's other interfaces answer in, and front ends with them (google.rpc.Status).
    private struct StatusComplaint: Decodable {
        struct Status: Decodable {
            let status: String?
            let message: String?
        }
        let error: Status
    }

    private static func complaint(_ body: [UInt8]) -> Complaint? {
        let data = Data(body)
        if let plain = try? JSONDecoder().decode(Complaint.self, from: data) {
            return Complaint(error: displayable(plain.error, limit: 60), description: plain.description)
        }
        guard let other = try? JSONDecoder().decode(StatusComplaint.self, from: data) else { return nil }
        return Complaint(
            error: displayable(other.error.status ?? "error", limit: 60),
            description: other.error.message
        )
    }
}

extension OAuthError.Fault: Error {}
