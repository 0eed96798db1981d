/// A provider key that mock hosts know beside their main one: with a scope that refuses some pushes, or of another team.
package struct MockProviderKey: Sendable {
    package enum Scope: Sendable, CaseIterable {
        /// For the sandbox only.
        case sandbox
        /// For the first topic only.
        case oneTopic
        /// Another team's, for all topics of its own.
        case otherTeam

        var keyID: String {
            switch self {
            case .sandbox: "SANDBOXKEY"
            case .oneTopic: "ONETOPICKY"
            case .otherTeam: "OTHERTEAMK"
            }
        }

        var teamID: String { self == .otherTeam ? "OTHERTEAM1" : MockCredentials.teamID }
    }

    package let scope: Scope
    package let identity: ProviderIdentity
    package let key: SigningKey
    /// The `.p8` file.
    package let file: String

    /// Loads the key from the directory, or makes it there.
    init(_ scope: Scope, in directory: String) throws(CredentialError) {
        self.scope = scope
        identity = try ProviderIdentity(keyID: scope.keyID, teamID: scope.teamID)
        file = directory + "/AuthKey_\(scope.keyID).p8"
        if !PrivateFile.exists(file) { try SigningKey.generate(.es256).write(to: file) }
        key = try SigningKey.loadP8(file)
    }
}
