/// The profile as it was run, kept in the record as a JSON object with sorted keys.
///
/// A record outlives the profile's schema: it keeps the object as it is and does not decode it, so that the results of an
/// older pushbench can still be reported and compared.
package struct ProfileText: Sendable, Equatable, Codable {
    /// One line of JSON.
    package let text: String

    /// Takes any JSON object; throws a `DecodingError` for something else.
    package init(json: String) throws {
        self = try TapeDecoder(json: Array(json.utf8)).decode(ProfileText.self)
    }

    package init(from decoder: any Decoder) throws {
        let value = try JSONTree(from: decoder)
        guard case .object = value else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "is not an object")
            )
        }
        let json = ResultText.collect { OrderedJSON.write(value, to: $0, brokenDepth: 0) }
        text = String(json.dropLast())
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(JSONFragment(text: text))
    }
}
