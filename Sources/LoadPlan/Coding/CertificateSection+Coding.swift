extension CertificateSection {
    static let keys = ["file", "key", "passwordFile", "passwordEnvironment", "share"]

    init(_ field: Field) throws(ProfileError) {
        let object = try field.object(keys: Self.keys)
        if let field = object["file"] { file = try field.text(longest: 4096) }
        if let field = object["key"] { key = try field.text(longest: 4096) }
        if let field = object["passwordFile"] { passwordFile = try field.text(longest: 4096) }
        if let field = object["passwordEnvironment"] { passwordEnvironment = try field.text() }
        if let field = object["share"] { share = try field.share() }
    }

    var node: JSONNode {
        .object([
            "file": file.map { .string($0) }, "key": key.map { .string($0) },
            "passwordFile": passwordFile.map { .string($0) },
            "passwordEnvironment": passwordEnvironment.map { .string($0) }, "share": .number(share),
        ])
    }
}
