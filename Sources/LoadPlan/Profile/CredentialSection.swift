/// The credential of a lane; wins over the one that mock hosts announce.
package struct CredentialSection: Sendable, Equatable {
    /// APNs: the `.p8` file, the key's id and the team's.
    package var key: String?
    package var keyId: String?
    package var teamId: String?
    /// APNs: what shards that use one key do about its tokens.
    package var tokens = TokenSharing.shared
    /// APNs: keys of the team that shards take in turn, in place of the one above; empty: all use that one.
    package var shardKeys: [ShardKey] = []
    /// FCM: the service account's JSON file.
    package var serviceAccount: String?
    /// FCM: a file that holds a current access token, which somebody else renews, as for a workload identity.
    package var bearerFile: String?
    /// FCM: the project that pushes go to; needed with a bearer file.
    package var projectId: String?

    /// APNs: the key that takes over during the run.
    package var next: NextKeySection?

    package init() {}
}

/// Whose the provider tokens of a key are that several shards use.
package enum TokenSharing: String, Sendable, Equatable, CaseIterable {
    /// All shards sign the same tokens at the same times, if they have agreed on a start: hosts see one token at a time.
    case shared
    /// Every shard signs its own: hosts see as many tokens at a time as there are shards.
    case own
}

/// A key for some of the shards.
package struct ShardKey: Sendable, Equatable {
    /// The `.p8` file and the key's id.
    package var key: String
    package var keyId: String
}

extension CredentialSection {
    /// The key that a shard uses; nil where it is the one that mock hosts announce.
    package func key(of shard: Shard) -> String? {
        shardKeys.isEmpty ? key : shardKeys[shard.number % shardKeys.count].key
    }

    /// The id of that key.
    package func keyId(of shard: Shard) -> String? {
        shardKeys.isEmpty ? keyId : shardKeys[shard.number % shardKeys.count].keyId
    }
}

/// The `.p8` key that an APNs lane goes over to: new connections begin with it, and those of the key before are drained.
package struct NextKeySection: Sendable, Equatable {
    /// `nil`: the second key that the mock hosts announce.
    package var key: String?
    package var keyId: String?
    /// `nil`: the team of the key before.
    package var teamId: String?
    /// From the run's start, in nanoseconds.
    package var at: Int64

    package init(at: Int64) {
        self.at = at
    }
}
