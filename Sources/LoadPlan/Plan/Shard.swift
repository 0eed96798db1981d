/// One of several processes that share a run: number k of n, counted from 0.
///
/// Shards need no coordinator: each computes its part of the one seeded plan. Batch b of a lane belongs to shard b mod n, and
/// within it to worker (b div n) mod w of the w that serve the lane there. People count shards from 1; see ``description``.
package struct Shard: Sendable, Hashable {
    /// The most shards that a run may have.
    package static let most = 65_536

    /// A run that is not shared.
    package static let whole = Shard(0, of: 1)

    /// From 0 to `count - 1`.
    package let number: Int
    package let count: Int

    package init(_ number: Int, of count: Int) {
        precondition(0 <= number && number < count && count <= Self.most, "Shard: number \(number) of \(count)")
        self.number = number
        self.count = count
    }

    /// Reads `K/N` as people write it, with K from 1 to N; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
        guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
        self.init(number - 1, of: count)
    }

    /// The shard's part of something that is counted: the parts of all shards sum to the whole and differ by at most one.
    package func share(of whole: Int) -> Int { whole.part(number, of: count) }

    /// A worker's number among those of all shards: different for any two, however many workers each shard has.
    package func globalNumber(ofWorker worker: Int) -> Int { number + count * worker }
}

extension Shard {
    /// Shards by their numbers from 1, in a sentence: `shard 3`, or `shards 1 to 4, 7`.
    package static func names(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in Set(numbers).sorted() {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let words = runs.prefix(20).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
        let rest = runs.count > 20 ? " and more" : ""
        return "\(Set(numbers).count == 1 ? "shard" : "shards") \(words.joined(separator: ", "))\(rest)"
    }
}

extension Int {
    /// One of the parts that a count is split into: they sum to it and differ by at most one, the first ones being larger.
    func part(_ number: Int, of parts: Int) -> Int { self / parts + (number < self % parts ? 1 : 0) }
}

extension Shard: CustomStringConvertible {
    /// As people write it: `2/4` for the second of four.
    package var description: String { "\(number + 1)/\(count)" }
}
