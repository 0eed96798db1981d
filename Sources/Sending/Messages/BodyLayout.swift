import LoadPlan

/// A body that is the same for every device but for its placeholders, laid out before the run.
///
/// Filling it in copies bytes and allocates nothing.
package struct BodyLayout: Sendable, Equatable {
    /// Literal bytes, and what stands behind them.
    private struct Piece: Sendable, Equatable {
        var literal: Range<Int>
        var placeholder: Placeholder?
    }

    private let literals: [UInt8]
    private let pieces: [Piece]
    /// The most bytes that the body can have.
    package let longest: Int

    /// Cuts a text at its placeholders; braces around other words are text like any other.
    package init(_ text: [UInt8]) {
        var literals: [UInt8] = []
        var pieces: [Piece] = []
        var start = 0
        var position = 0
        while position < text.count {
            if let placeholder = Self.placeholder(in: text, at: position) {
                pieces.append(Piece(literal: start..<literals.count, placeholder: placeholder))
                start = literals.count
                position += placeholder.text.utf8.count
            } else {
                literals.append(text[position])
                position += 1
            }
        }
        pieces.append(Piece(literal: start..<literals.count))
        self.literals = literals
        self.pieces = pieces
        longest = pieces.reduce(literals.count) { $0 + ($1.placeholder?.longest ?? 0) }
    }

    private static func placeholder(in text: [UInt8], at position: Int) -> Placeholder? {
        guard text[position] == UInt8(ascii: "{") else { return nil }
        return Placeholder.allCases.first { text[position...].starts(with: $0.text.utf8) }
    }

    /// The body, where it has no placeholders and so serves every push.
    package var constant: [UInt8]? { pieces.count == 1 ? literals : nil }

    /// Writes the body of one device and returns its length.
    ///
    /// - Parameters:
    ///   - token: its characters, which need no escaping in JSON ([A-Za-z0-9_:-]).
    ///   - app: its topic's characters.
    ///   - destination: memory of at least ``longest`` bytes.
    package func write(
        index: UInt64,
        token: UnsafeRawBufferPointer,
        app: UnsafeRawBufferPointer,
        into destination: UnsafeMutableRawBufferPointer
    ) -> Int {
        var writer = ByteWriter(destination)
        literals.withUnsafeBytes { bytes in
            for piece in pieces {
                writer.write(UnsafeRawBufferPointer(rebasing: bytes[piece.literal]))
                switch piece.placeholder {
                case .index: writer.write(index)
                case .token: writer.write(token)
                case .app: writer.write(app)
                case nil: break
                }
            }
        }
        return writer.count
    }
}

/// Appends to memory that is large enough.
private struct ByteWriter {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        precondition(count + bytes.count <= memory.count, "a body does not fit its \(memory.count) bytes")
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// Decimal digits.
    mutating func write(_ number: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            precondition(count < memory.count, "a body does not fit its \(memory.count) bytes")
            memory[count] = UInt8(truncatingIfNeeded: number / divisor % 10) + UInt8(ascii: "0")
            count += 1
            divisor /= 10
        }
    }
}
