/// Whether a run may be believed: VALID, or INVALID with the causes, when the generator itself was the bottleneck.
package struct Verdict: Sendable, Equatable {
    /// Empty for a valid run.
    package var causes: [VerdictCause]

    package init(causes: [VerdictCause]) {
        self.causes = causes
    }

    package var isValid: Bool { causes.isEmpty }

    /// The causes that are bugs of pushbench.
    package var bugs: [VerdictCause] { causes.filter { $0.name == .accounting || $0.name == .impossible } }

    /// `VALID` or `INVALID`.
    package var word: String { isValid ? "VALID" : "INVALID" }
}

/// One reason not to believe a run.
package struct VerdictCause: Sendable, Equatable, Codable {
    /// What went wrong, in words that stay the same.
    package enum Name: String, Sendable, Codable, CaseIterable {
        /// Pushes were taken up later than planned.
        case lag = "lag_p99"
        /// Too many planned pushes were left unsent though streams were free.
        case sentShare = "sent_share"
        /// More pushes were overdue than a lane may hold back.
        case backlog = "backlog_overflow"
        /// A worker's loop stood still.
        case stall = "loop_stall"
        /// A worker had no CPU time left.
        case workerCPU = "worker_cpu"
        /// The wall clock was set during the run.
        case clockStep = "clock_step"
        /// A worker broke down, by no fault of the hosts.
        case workerFailure = "worker_failure"
        /// A bug: pushes were lost or counted twice.
        case accounting
        /// A bug: counts and clocks contradict each other.
        case impossible
        /// A shard's record is not among those that were merged, and nobody said that it may be missing.
        case shardMissing = "shard_missing"
        /// Two records are of one shard.
        case shardTwice = "shard_twice"
        /// A shard began too long after the others.
        case shardLate = "shard_late"
        /// A shard ran another profile, seed, plan or build than the others.
        case shardDiffers = "shard_differs"
        /// A shard's own run can't be believed, or was ended early.
        case shardInvalid = "shard_invalid"
    }

    package var name: Name
    /// One sentence with the number and its bound.
    package var sentence: String

    package init(_ name: Name, _ sentence: String) {
        self.name = name
        self.sentence = sentence
    }
}

extension Verdict: Codable {
    private enum CodingKeys: String, CodingKey {
        case word, causes
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(word, forKey: .word)
        try container.encode(causes, forKey: .causes)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        causes = try container.decode([VerdictCause].self, forKey: .causes)
        guard try container.decode(String.self, forKey: .word) == word else {
            throw DecodingError.dataCorruptedError(
                forKey: .word,
                in: container,
                debugDescription: "contradicts the causes, which make it \(word)"
            )
        }
    }
}
