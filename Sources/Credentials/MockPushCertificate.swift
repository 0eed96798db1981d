/// The two files that hold one push certificate with its key.
package struct PushCertificateFiles: Sendable {
    /// PKCS#12 under an empty password, as Apple's come out of a key chain.
    package let p12: String
    /// Certificate and key in PEM, as curl and OpenSSL take them.
    package let pem: String

    init(_ directory: String, _ name: String) {
        p12 = "\(directory)/\(name).p12"
        pem = "\(directory)/\(name).pem"
    }
}

/// What a push certificate is for.
struct PushCertificateUse {
    var topic: String
    /// The numbers of the extensions that stand for its environments.
    var environmentExtensions: [String]

    /// Apple's words for a certificate of both environments and for one of the sandbox.
    var name: String {
        environmentExtensions.contains(MockCredentials.productionExtension)
            ? "Apple Push Services: \(topic)" : "Apple Development IOS Push Services: \(topic)"
    }

    /// Whether a certificate says just this; those of earlier versions named no environment.
    func isFulfilled(by certificate: Certificate) -> Bool {
        certificate.userID == topic && environmentExtensions.allSatisfy(certificate.hasExtension)
    }
}
