/// What is wrong with a server certificate.
package enum CertificateFault: String, Sendable {
    case expired
    case otherName = "other-name"
}

/// The certificate authority of the mock hosts, kept in two files of their directory.
struct MockAuthority {
    private let certificate: Certificate
    private let key: OpenSSLKey

    /// Certificates are made for a year, and made again when less than a day of it is left.
    private static let days = 365
    private static let leastSecondsLeft = 86_400

    /// Reads the authority in `directory`, or makes one when there is none or it expires soon.
    static func make(in directory: String) throws(CredentialError) -> MockAuthority {
        let (certificateFile, keyFile) = (directory + "/ca.pem", directory + "/ca-key.pem")
        if PrivateFile.exists(certificateFile), PrivateFile.exists(keyFile) {
            let kept = MockAuthority(
                certificate: try .read(file: certificateFile),
                key: try SigningKey.loadP8(keyFile).key
            )
            guard kept.certificate.belongs(to: kept.key) else {
                throw CredentialError(file: keyFile, fault: .otherKey(certificate: certificateFile))
            }
            if kept.certificate.isValid(forSeconds: leastSecondsLeft) { return kept }
        }
        let key = try SigningKey.generate(.es256)
        let certificate = try CertificateRequest.authority(name: "pushbench mock CA", days: days).issue(for: key.key)
        try key.write(to: keyFile)
        try certificate.write(to: certificateFile)
        return MockAuthority(certificate: certificate, key: key.key)
    }

    /// Makes sure of a server certificate that covers `names`.
    func makeServer(_ file: String, key keyFile: String, names: [String]) throws(CredentialError) {
        if PrivateFile.exists(file), PrivateFile.exists(keyFile) {
            let kept = try Certificate.read(file: file)
            if isGood(kept), kept.belongs(to: try SigningKey.loadP8(keyFile).key), names.allSatisfy(kept.covers) {
                return
            }
        }
        let request = CertificateRequest.leaf(
            subject: [("O", "pushbench"), ("CN", "pushbench mock hosts")],
            purpose: "serverAuth",
            names: names,
            days: Self.days
        )
        let key = try SigningKey.generate(.es256)
        let certificate = try request.issue(for: key.key, by: (self.certificate, self.key))
        try key.write(to: keyFile)
        try certificate.write(to: file)
    }

    /// Makes a server certificate that no careful client takes, for the key in `keyFile`.
    func makeServer(_ fault: CertificateFault, _ file: String, key keyFile: String, names: [String])
        throws(CredentialError)
    {
        var request = CertificateRequest.leaf(
            subject: [("O", "pushbench"), ("CN", "pushbench mock hosts")],
            purpose: "serverAuth",
            names: fault == .otherName ? ["other-host.invalid"] : names,
            days: fault == .expired ? -1 : Self.days
        )
        request.daysPast = 30
        let key = try SigningKey.loadP8(keyFile)
        try request.issue(for: key.key, by: (certificate, self.key)).write(to: file)
    }

    /// Makes sure of a push certificate: its subject names the topic and its extensions the environments, as Apple's do.
    ///
    /// It goes into two files with its key: one for programs that want PKCS#12, one for those that want PEM.
    func makeClient(_ files: PushCertificateFiles, _ use: PushCertificateUse) throws(CredentialError) {
        if PrivateFile.exists(files.p12), PrivateFile.exists(files.pem) {
            let kept = try Certificate.read(file: files.pem)
            if isGood(kept), use.isFulfilled(by: kept), kept.isSame(as: try PKCS12.readCertificate(file: files.p12)) {
                return
            }
        }
        var request = CertificateRequest.leaf(
            subject: [("UID", use.topic), ("CN", use.name)],
            purpose: "clientAuth",
            names: [],
            days: Self.days
        )
        request.markers = use.environmentExtensions
        let key = try SigningKey.generate(.es256)
        let certificate = try request.issue(for: key.key, by: (self.certificate, self.key))
        try PKCS12.write(certificate: certificate, key: key.key, name: use.name, to: files.p12)
        try certificate.write(with: key.key, to: files.pem)
    }

    private func isGood(_ leaf: Certificate) -> Bool {
        leaf.isIssued(by: certificate) && leaf.isValid(forSeconds: Self.leastSecondsLeft)
    }
}
