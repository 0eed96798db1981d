package import Credentials
import Fleet
import Hosts
package import LoadPlan
package import Push
import Transport

/// A mock with its files: credentials made in a directory, hosts bound, and the announcement that tells senders both.
package final class MockSite {
    package let announcement: HostAnnouncement
    package let server: MockServer

    /// Makes what is missing in `directory`, binds the hosts, and writes the files that name their ports.
    ///
    /// - Parameters:
    ///   - profile: for the hosts' behaviour, the apps and the project.
    ///   - directory: where certificates and keys lie; kept by the caller.
    ///   - bindAddress: in digits; hosts on another than a loopback address have it in their certificate.
    ///   - ports: by host, where not any will do.
    ///   - controlPort: 0 for any.
    ///   - processID: for the announcement.
    ///   - mostConnections: open at one time; nil for the usual limit.
    ///   - isAudited: whether the audit watches what the sender does.
    /// - Throws: `MockError` or `CredentialError`, each with one clear line.
    package init(
        profile: Profile,
        directory: String,
        bindAddress: String = "127.0.0.1",
        ports: [HostPort: UInt16] = [:],
        controlPort: UInt16 = 0,
        processID: Int32,
        mostConnections: Int? = nil,
        isAudited: Bool = true
    ) throws {
        let topics = profile.fleet.apps.map(\.topic)
        let credentials = try Self.credentials(in: directory, bindAddress: bindAddress, topic: topics.first)
        var configuration = MockConfiguration(
            behaviour: profile.mock,
            credentials: try HostCredentials(credentials, topics: topics, projectID: profile.fleet.project),
            bundleIDs: topics,
            seed: profile.seed
        )
        configuration.bindAddress = bindAddress
        configuration.ports = ports
        configuration.controlPort = controlPort
        configuration.isAudited = isAudited
        if let mostConnections { configuration.mostConnections = mostConnections }
        configuration.identities = try Self.faultyIdentities(profile.mock.faults, of: credentials)
        server = try MockServer(configuration)
        let urls = server.urls
        try credentials.serviceAccount.moved(to: profile.fleet.project, tokenURI: urls[.oauth] ?? "")
            .write(to: credentials.serviceAccountFile)
        announcement = HostAnnouncement(
            of: credentials,
            topics: topics,
            project: profile.fleet.project,
            urls: urls,
            control: server.controlURL,
            processID: processID
        )
    }

    /// What is in the directory already, and what is missing made.
    private static func credentials(
        in directory: String,
        bindAddress: String,
        topic: String?
    ) throws -> MockCredentials {
        var names = MockCredentials.loopbackNames
        if !names.contains(bindAddress) { names.append(bindAddress) }
        return try MockCredentials.make(in: directory, names: names, topic: topic ?? MockCredentials.topic)
    }

    /// The certificates of hosts that a fault has show a wrong one.
    private static func faultyIdentities(
        _ faults: [Fault],
        of credentials: MockCredentials
    ) throws -> [HostName: TLSContext.Identity] {
        var identities: [HostName: TLSContext.Identity] = [:]
        for fault in faults where fault.knob == .certificate {
            let file = try credentials.makeFaultyServer(fault.word() == "expired" ? .expired : .otherName)
            for host in HostName.allCases where fault.strikes(host: host.name) {
                identities[host] = .pem(certificate: file, key: credentials.serverKeyFile)
            }
        }
        return identities
    }
}

extension HostAnnouncement {
    fileprivate init(
        of credentials: MockCredentials,
        topics: [String],
        project: String,
        urls: [HostPort: String],
        control: String,
        processID: Int32
    ) {
        var hosts = Dictionary(uniqueKeysWithValues: urls.map { ($0.key.name, $0.value) })
        hosts["control"] = control
        self.init(
            pid: processID,
            ca: credentials.authorityFile,
            hosts: hosts,
            apns: APNs(of: credentials, topics: topics),
            fcm: FCM(serviceAccount: credentials.serviceAccountFile, projectId: project)
        )
    }
}

extension HostAnnouncement.APNs {
    fileprivate init(of credentials: MockCredentials, topics: [String]) {
        self.init(
            key: credentials.keyFile,
            keyId: MockCredentials.keyID,
            teamId: MockCredentials.teamID,
            topics: topics,
            certificate: credentials.pushCertificate.p12
        )
        nextKey = credentials.nextKeyFile
        nextKeyId = MockCredentials.nextKeyID
        otherKeys = credentials.otherKeys.map { other in
            HostAnnouncement.Key(
                key: other.file,
                keyId: other.identity.keyID,
                teamId: other.identity.teamID,
                environment: other.scope == .sandbox ? Environment.sandbox.name : nil,
                topics: other.scope == .oneTopic ? Array(topics.prefix(1)) : topics
            )
        }
    }
}

extension HostCredentials {
    /// The credentials that a mock made for itself.
    package init(_ made: MockCredentials, topics: [String], projectID: String) throws(CredentialError) {
        let account = made.serviceAccount
        var providers = [
            Provider(
                key: ProviderKey(id: made.identity.keyID, team: made.identity.teamID),
                verifier: try made.apnsKey.publicKey
            ),
            Provider(
                key: ProviderKey(id: MockCredentials.nextKeyID, team: made.identity.teamID),
                verifier: try made.nextAPNsKey.publicKey
            ),
        ]
        for other in made.otherKeys {
            var key = ProviderKey(id: other.identity.keyID, team: other.identity.teamID)
            if other.scope == .sandbox { key.environment = .sandbox }
            if other.scope == .oneTopic { key.topics = Array(topics.prefix(1)) }
            providers.append(Provider(key: key, verifier: try other.key.publicKey))
        }
        self.init(
            identity: .pem(certificate: made.serverCertificateFile, key: made.serverKeyFile),
            clientAuthority: made.authorityFile,
            providers: providers,
            accounts: [
                Account(email: account.clientEmail, keyID: account.keyID, verifier: try account.key.publicKey)
            ],
            projectID: projectID
        )
    }
}

extension ServiceAccount {
    fileprivate func moved(to projectID: String, tokenURI: String) -> ServiceAccount {
        ServiceAccount(
            projectID: projectID,
            clientEmail: clientEmail,
            keyID: keyID,
            tokenURI: tokenURI,
            key: key
        )
    }
}
