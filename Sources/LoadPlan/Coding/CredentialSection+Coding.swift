extension CredentialSection {
    static let apnsKeys = ["key", "keyId", "teamId", "tokens", "shardKeys", "next"]
    static let mostShardKeys = 100
    static let fcmKeys = ["serviceAccount", "bearerFile", "projectId"]

    init(_ field: Field, isAPNs: Bool) throws(ProfileError) {
        let object = try field.object(keys: isAPNs ? Self.apnsKeys : Self.fcmKeys)
        if isAPNs {
            if let field = object["key"] { key = try field.text(longest: 4096) }
            if let field = object["keyId"] { keyId = try field.text(longest: 10) }
            if let field = object["teamId"] { teamId = try field.text(longest: 10) }
            if let field = object["tokens"] { tokens = try field.word(TokenSharing.self) }
            if let field = object["shardKeys"] {
                shardKeys = try field.elements(atMost: Self.mostShardKeys).mapFields(ShardKey.init)
            }
            if let field = object["next"] { next = try NextKeySection(field) }
        } else {
            if let field = object["serviceAccount"] { serviceAccount = try field.text(longest: 4096) }
            if let field = object["bearerFile"] { bearerFile = try field.text(longest: 4096) }
            if let field = object["projectId"] { projectId = try field.text(longest: 100) }
        }
    }

    func node(isAPNs: Bool) -> JSONNode {
        .object([
            "key": key.map { .string($0) }, "keyId": keyId.map { .string($0) }, "teamId": teamId.map { .string($0) },
            "tokens": isAPNs ? .string(tokens.rawValue) : nil,
            "shardKeys": shardKeys.isEmpty ? nil : .array(shardKeys.map(\.node)),
            "serviceAccount": serviceAccount.map { .string($0) }, "bearerFile": bearerFile.map { .string($0) },
            "projectId": projectId.map { .string($0) }, "next": next?.node,
        ])
    }
}

extension NextKeySection {
    static let keys = ["key", "keyId", "teamId", "at"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        self.init(at: try object["at"]?.duration(in: 0...24 * Nanoseconds.hour) ?? -1)
        if let field = object["key"] { key = try field.text(longest: 4096) }
        if let field = object["keyId"] { keyId = try field.text(longest: 10) }
        if let field = object["teamId"] { teamId = try field.text(longest: 10) }
        guard at >= 0 else { throw field.error(.rule("has no \"at\"")) }
        guard (key == nil) == (keyId == nil) else { throw field.wrong(allowed: "key and keyId together") }
    }

    var node: JSONNode {
        .object([
            "key": key.map { .string($0) }, "keyId": keyId.map { .string($0) }, "teamId": teamId.map { .string($0) },
            "at": .string(Quantity.text(duration: at)),
        ])
    }
}

extension ShardKey {
    static let keys = ["key", "keyId"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        // What is there is looked at before what is missing.
        let key = try object["key"]?.text(longest: 4096)
        let keyId = try object["keyId"]?.text(longest: 10)
        guard let key, let keyId else { throw field.wrong(allowed: "an object with key and keyId") }
        (self.key, self.keyId) = (key, keyId)
    }

    var node: JSONNode { .object(["key": .string(key), "keyId": .string(keyId)]) }
}
