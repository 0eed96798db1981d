/// A word in braces that stands for something of each device in a message's texts: `{index}`, `{token}`, `{app}`.
package enum Placeholder: String, Sendable, CaseIterable {
    /// The device's index in the fleet, in decimal digits.
    case index
    case token
    /// The device's app: its topic.
    case app

    /// As it stands in a text.
    package var text: String { "{\(rawValue)}" }

    /// The most bytes that it can become.
    package var longest: Int {
        switch self {
        case .index: 20
        case .token: 200
        case .app: 155
        }
    }

    /// The most bytes that a text can have once its placeholders are filled in.
    package static func longestFilled(_ text: String) -> Int {
        allCases.reduce(text.utf8.count) { $0 + $1.occurrences(in: text) * ($1.longest - $1.text.utf8.count) }
    }

    private func occurrences(in text: String) -> Int {
        var count = 0
        var rest = text.utf8[...]
        while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
            if rest[brace...].starts(with: self.text.utf8) { count += 1 }
            rest = rest[brace...].dropFirst()
        }
        return count
    }
}
