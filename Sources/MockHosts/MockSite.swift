package import Credentials
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
    /// - Throws: `MockError` or `CredentialError`, each with one clear line.
    package init(
        profile: Profile,
        directory: String,
        bindAddress: String = "127.0.0.1",
        ports: [HostPort: UInt16] = [:],
        controlPort: UInt16 = 0,
        processID: Int32,
        mostConnections: Int? = nil
    ) throws {
        var names = MockCredentials.loopbackNames
        if !names.contains(bindAddress) { names.append(bindAddress) }
        let topics = profile.fleet.apps.map(\.topic)
        let credentials = try MockCredentials.make(
            in: directory,
            names: names,
            topic: topics.first ?? MockCredentials.topic
        )
        var configuration = MockConfiguration(
            behaviour: profile.mock,
            credentials: try HostCredentials(credentials, projectID: profile.fleet.project),
            bundleIDs: topics,
            seed: profile.seed
        )
        configuration.bindAddress = bindAddress
        configuration.ports = ports
        configuration.controlPort = controlPort
        if let mostConnections { configuration.mostConnections = mostConnections }
        for fault in profile.mock.faults where fault.knob == .certificate {
            let file = try credentials.makeFaultyServer(fault.word() == "expired" ? .expired : .otherName)
            for host in HostName.allCases where fault.strikes(host: host.name) {
                configuration.identities[host] = .pem(certificate: file, key: credentials.serverKeyFile)
            }
        }
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
            apns: APNs(
                key: credentials.keyFile,
                keyId: MockCredentials.keyID,
                teamId: MockCredentials.teamID,
                topics: topics,
                certificate: credentials.pushCertificate.p12
            ),
            fcm: FCM(serviceAccount: credentials.serviceAccountFile, projectId: project)
        )
        apns.nextKey = credentials.nextKeyFile
        apns.nextKeyId = MockCredentials.nextKeyID
    }
}

extension HostCredentials {
    /// The credentials that a mock made for itself.
    package init(_ made: MockCredentials, projectID: String) throws(CredentialError) {
        let account = made.serviceAccount
        self.init(
            identity: .pem(certificate: made.serverCertificateFile, key: made.serverKeyFile),
            clientAuthority: made.authorityFile,
            providers: [
                Provider(
                    key: ProviderKey(id: made.identity.keyID, team: made.identity.teamID),
                    verifier: try made.apnsKey.publicKey
                ),
                Provider(
                    key: ProviderKey(id: MockCredentials.nextKeyID, team: made.identity.teamID),
                    verifier: try made.nextAPNsKey.publicKey
                ),
            ],
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
