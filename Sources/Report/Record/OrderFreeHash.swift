/// A sum of 64-bit hashes, in a record as 16 hexadecimal digits: JSON's numbers would lose its last bits in most readers.
package struct OrderFreeHash: Sendable, Equatable, Codable, CustomStringConvertible {
    package var value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }

    package var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = UInt64(text, radix: 16), OrderFreeHash(value).description == text else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "is not 16 hexadecimal digits")
        }
        self.value = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
