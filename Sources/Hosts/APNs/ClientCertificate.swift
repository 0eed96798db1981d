package import Fleet

/// A push certificate that a sender showed in its TLS handshake, as far as the hosts look into it.
///
/// Apple's certificates name their topic in the subject's UID and carry one extension for each environment that they
/// are for: 1.2.840.113635.100.6.3.1 for the sandbox, 1.2.840.113635.100.6.3.2 for production (jchambers/pushy reads
/// the same).
package struct ClientCertificate: Sendable, Equatable {
    /// The bundle id; empty for a certificate that names none.
    package var topic: String
    /// The environments that it is for.
    package var environments: Set<Environment>

    package init(topic: String, environments: Set<Environment>) {
        self.topic = topic
        self.environments = environments
    }
}
