/// The credential of a lane; wins over the one that mock hosts announce.
package struct CredentialSection: Sendable, Equatable {
    /// APNs: the `.p8` file, the key's id and the team's.
    package var key: String?
    package var keyId: String?
    package var teamId: String?
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
