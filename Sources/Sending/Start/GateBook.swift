package import LoadPlan

/// Why shards can't agree on a start; one clear line.
package struct GateError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Decides when the shards of a run begin: a margin after the newest of their arrivals at a gate.
///
/// The gate is a folder that all shards see, in which each leaves a file when it is ready. The files' times of modification
/// are all by one clock, that of the folder's file system, so every shard computes the same instant.
package struct GateBook: Sendable {
    /// From the newest arrival to the start, in nanoseconds: long enough for every shard to see that all are there.
    package static let margin = Nanoseconds.second
    /// File systems tell times no finer than their machine's timer tick; a clock that is apart by no more is not corrected.
    package static let granularity = 10 * Nanoseconds.millisecond

    private let shard: Shard
    private let profileHash: UInt64
    /// When shards came, by their numbers from 0, and their files' names.
    private var arrivals: [Int: Int64] = [:]
    private var names: Set<String> = []

    /// - Parameter profileHash: of the profile with all that was changed in it; shards with another can't run together.
    package init(shard: Shard, profileHash: UInt64) {
        self.shard = shard
        self.profileHash = profileHash
    }

    /// The name of the shard's own file.
    package var fileName: String { Self.fileName(shard) }

    /// What the shard's own file says; whole when its line has an end.
    ///
    /// - Parameter clock: the shard's own clock, for people who look into the folder.
    package func text(clock: Int64) -> String { "pushbench shard \(shard) profile \(profileHash) clock \(clock)\n" }

    /// Takes in a file of the folder; one that is not whole yet, or no shard's, is left alone.
    ///
    /// - Parameter modified: nanoseconds since 1970 by the file system's clock.
    package mutating func take(name: String, text: String, modified: Int64) throws(GateError) {
        guard name.hasPrefix("shard-"), text.hasSuffix("\n") else { return }
        let words = text.dropLast().split(separator: " ")
        guard words.count == 7, words[0] == "pushbench", let other = Shard(words[2]), Self.fileName(other) == name
        else {
            throw GateError("\(name): is no file of a shard")
        }
        guard other.count == shard.count else {
            throw GateError("\(name): the run has \(shard.count) shards; use a fresh folder for each run")
        }
        guard words[4] == String(profileHash) else {
            throw GateError("\(name): shard \(other.number + 1) runs another profile than shard \(shard.number + 1)")
        }
        arrivals[other.number] = modified
        names.insert(name)
    }

    /// Whether a file was taken in already.
    package func has(_ name: String) -> Bool { names.contains(name) }

    /// The shards that have not come, counted from 1.
    package var missing: [Int] { (0..<shard.count).filter { arrivals[$0] == nil }.map { $0 + 1 } }

    /// When to begin, by the gate's clock; nil until all are there.
    package var agreedStart: Int64? {
        guard arrivals.count == shard.count else { return nil }
        return arrivals.values.max().map { $0 + Self.margin }
    }

    /// By how much to correct a clock that is ahead of the gate's, as the shard's own file showed it.
    ///
    /// - Parameter doubt: how far off the difference may be, in nanoseconds.
    package static func correction(ahead: Int64, doubt: Int64) -> Int64 {
        abs(ahead) > granularity + doubt ? ahead : 0
    }

    private static func fileName(_ shard: Shard) -> String { "shard-\(shard.number + 1)-of-\(shard.count)" }
}
