/// Everything that mock hosts and the senders tried against them need, made anew in a directory: nothing secret is
/// ever checked in.
///
/// A directory that already has some of it keeps it, so that a sender can be set up once; what is missing or about to
/// expire is made. Certificates are on P-256. Every file has mode 0600, and a directory made here has 0700.
package struct MockCredentials: Sendable {
    /// The names that the hosts answer to unless told otherwise.
    package static let loopbackNames = ["localhost", "127.0.0.1", "::1"]
    package static let keyID = "ABC123DEFG"
    /// Of the second key.
    package static let nextKeyID = "NEXTKEY456"
    package static let teamID = "TEAM123456"
    package static let topic = "com.example.app"
    package static let projectID = "example-project"

    package let directory: String
    package let identity: ProviderIdentity
    /// The key in `keyFile`.
    package let apnsKey: SigningKey
    /// Keys that may send less.
    package let otherKeys: [MockProviderKey]
    /// The key in `nextKeyFile`.
    package let nextAPNsKey: SigningKey
    /// The account in `serviceAccountFile`.
    package private(set) var serviceAccount: ServiceAccount

    /// The certificate that clients trust.
    package var authorityFile: String { directory + "/ca.pem" }
    /// The hosts' certificate and key.
    package var serverCertificateFile: String { directory + "/server.pem" }
    package var serverKeyFile: String { directory + "/server-key.pem" }
    /// A push certificate for both environments, and one for the sandbox only.
    package var pushCertificate: PushCertificateFiles { PushCertificateFiles(directory, "apns") }
    package var sandboxPushCertificate: PushCertificateFiles { PushCertificateFiles(directory, "apns-sandbox") }
    package var keyFile: String { directory + "/AuthKey_\(Self.keyID).p8" }
    package var nextKeyFile: String { directory + "/AuthKey_\(Self.nextKeyID).p8" }
    package var serviceAccountFile: String { directory + "/service-account.json" }

    /// The extensions by which Apple's push certificates say which environment they are for.
    package static let sandboxExtension = "1.2.840.113635.100.6.3.1"
    package static let productionExtension = "1.2.840.113635.100.6.3.2"

    /// Fills `directory`, keeping what it has; the server's certificate covers `names`, the push certificates are for
    /// `topic`.
    ///
    /// A file that is there but cannot be used is an error, not a reason to overwrite it. The service account's
    /// `token_uri` names no port until `setTokenURI` does.
    package static func make(
        in directory: String,
        names: [String] = loopbackNames,
        topic: String = Self.topic
    ) throws(CredentialError) -> MockCredentials {
        for name in names where !SubjectName(name).isWellFormed {
            let allowed = "letters, digits, \"-\", \".\" or \":\""
            throw CredentialError(
                file: directory,
                fault: .badField("host name", found: "\"\(displayable(name))\"", allowed: allowed)
            )
        }
        try PrivateFile.makeDirectory(directory)
        let credentials = try MockCredentials(directory: directory)
        let authority = try MockAuthority.make(in: directory)
        try authority.makeServer(credentials.serverCertificateFile, key: credentials.serverKeyFile, names: names)
        try authority.makeClient(
            credentials.pushCertificate,
            PushCertificateUse(topic: topic, environmentExtensions: [sandboxExtension, productionExtension])
        )
        try authority.makeClient(
            credentials.sandboxPushCertificate,
            PushCertificateUse(topic: topic, environmentExtensions: [sandboxExtension])
        )
        return credentials
    }

    private init(directory: String) throws(CredentialError) {
        self.directory = directory
        identity = try ProviderIdentity(keyID: Self.keyID, teamID: Self.teamID)
        apnsKey = try Self.key(Self.keyID, in: directory)
        nextAPNsKey = try Self.key(Self.nextKeyID, in: directory)
        var others: [MockProviderKey] = []
        for scope in MockProviderKey.Scope.allCases { others.append(try MockProviderKey(scope, in: directory)) }
        otherKeys = others
        let accountFile = directory + "/service-account.json"
        if !PrivateFile.exists(accountFile) { try Self.newAccount().write(to: accountFile) }
        serviceAccount = try ServiceAccount.load(accountFile)
    }

    private static func key(_ id: String, in directory: String) throws(CredentialError) -> SigningKey {
        let file = directory + "/AuthKey_\(id).p8"
        if !PrivateFile.exists(file) { try SigningKey.generate(.es256).write(to: file) }
        return try SigningKey.loadP8(file)
    }

    private static func newAccount() throws(CredentialError) -> ServiceAccount {
        let key = try SigningKey.generate(.rs256)
        return ServiceAccount(
            projectID: projectID,
            clientEmail: "pushbench@\(projectID).iam.gserviceaccount.com",
            keyID: String(key.fingerprint.prefix(40)),
            tokenURI: "https://localhost/token",
            key: key
        )
    }

    /// Makes a server certificate with a fault, for the key in `serverKeyFile`, and returns its file.
    package func makeFaultyServer(_ fault: CertificateFault) throws(CredentialError) -> String {
        let file = directory + "/server-\(fault.rawValue).pem"
        try MockAuthority.make(in: directory)
            .makeServer(fault, file, key: serverKeyFile, names: Self.loopbackNames)
        return file
    }

    /// Writes the service account again with the token endpoint that the OAuth host has now.
    package mutating func setTokenURI(_ uri: String) throws(CredentialError) {
        let account = ServiceAccount(
            projectID: serviceAccount.projectID,
            clientEmail: serviceAccount.clientEmail,
            keyID: serviceAccount.keyID,
            tokenURI: uri,
            key: serviceAccount.key
        )
        try account.write(to: serviceAccountFile)
        serviceAccount = account
    }
}

extension ServiceAccount {
    /// Writes the file that `load` reads, mode 0600.
    package func write(to path: String) throws(CredentialError) {
        precondition(OAuthClient.isAcceptable(url: tokenURI), "a token endpoint that no file may name")
        let opening = """
            {
              "type": "service_account",
              "project_id": "\(projectID)",
              "private_key_id": "\(keyID)",
              "private_key": "
            """
        let closing = """
            ",
              "client_email": "\(clientEmail)",
              "client_id": "100000000000000000000",
              "token_uri": "\(tokenURI)"
            }

            """
        try key.key.privatePEM(source: path)
            .withBytes { (pem) throws(CredentialError) in
                var text = SecretBytes(capacity: opening.utf8.count + 2 * pem.count + closing.utf8.count)
                for byte in opening.utf8 { text.append(byte) }
                for byte in pem {
                    // A PEM text has no other character that JSON escapes.
                    if byte == UInt8(ascii: "\n") { text.append(UInt8(ascii: "\\")) }
                    text.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: "n") : byte)
                }
                for byte in closing.utf8 { text.append(byte) }
                try text.withBytes { (bytes) throws(CredentialError) in try PrivateFile.write(bytes, to: path) }
            }
    }
}
