extension CredentialSection {
    static let apnsKeys = ["key", "keyId", "teamId"]
    static let fcmKeys = ["serviceAccount", "bearerFile", "projectId"]

    init(_ field: Field, isAPNs: Bool) throws(ProfileError) {
        let object = try field.object(keys: isAPNs ? Self.apnsKeys : Self.fcmKeys)
        if isAPNs {
            if let field = object["key"] { key = try field.text(longest: 4096) }
            if let field = object["keyId"] { keyId = try field.text(longest: 10) }
            if let field = object["teamId"] { teamId = try field.text(longest: 10) }
        } else {
            if let field = object["serviceAccount"] { serviceAccount = try field.text(longest: 4096) }
            if let field = object["bearerFile"] { bearerFile = try field.text(longest: 4096) }
            if let field = object["projectId"] { projectId = try field.text(longest: 100) }
        }
    }

    var node: JSONNode {
        .object([
            "key": key.map { .string($0) }, "keyId": keyId.map { .string($0) }, "teamId": teamId.map { .string($0) },
            "serviceAccount": serviceAccount.map { .string($0) }, "bearerFile": bearerFile.map { .string($0) },
            "projectId": projectId.map { .string($0) },
        ])
    }
}
