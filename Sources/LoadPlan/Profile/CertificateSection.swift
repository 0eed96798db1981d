/// A client certificate that an APNs lane sends with, beside provider tokens or in their place.
package struct CertificateSection: Sendable, Equatable {
    /// A `.p12` file, or a PEM file with the certificate; nil for the one that the mock hosts announce.
    package var file: String?
    /// The PEM file of the private key; nil where `file` has it too.
    package var key: String?
    /// A file whose first line is the password of the `.p12`.
    package var passwordFile: String?
    /// An environment variable that holds it.
    package var passwordEnvironment: String?
    /// The share of the lane's connections, and so of its pushes, that use the certificate.
    package var share = 1.0

    package init() {}

    /// Whether the connection of a number, counted over the whole lane, uses the certificate: spread evenly.
    package func covers(connection number: Int) -> Bool {
        Int((Double(number + 1) * share).rounded(.down)) > Int((Double(number) * share).rounded(.down))
    }
}
