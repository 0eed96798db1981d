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

    package init() {}
}
