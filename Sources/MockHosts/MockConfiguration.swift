package import Credentials
package import Hosts
package import LoadPlan
package import Transport

/// Everything that a mock needs to know before it starts.
package struct MockConfiguration: Sendable {
    /// How the hosts behave: the profile's `mock` section.
    package var behaviour: MockSection
    /// The address that the hosts listen on, in digits.
    package var bindAddress = "127.0.0.1"
    /// Numbers of ports; one without gets a free one.
    package var ports: [HostPort: UInt16] = [:]
    /// The port of the control port, which is bound to loopback only; 0 for a free one.
    package var controlPort: UInt16 = 0
    /// Certificates and keys, and where they lie.
    package var credentials: HostCredentials
    /// Certificates of hosts that show another than `credentials` has.
    package var identities: [HostName: TLSContext.Identity] = [:]
    /// The bundle ids that the provider keys may send to.
    package var bundleIDs: [String]
    /// Seeds identifiers and service times; access tokens take their randomness from the system.
    package var seed: UInt64
    /// At most this many connections at a time; more are closed as soon as they are accepted.
    package var mostConnections = 16_384
    /// Whether the audit watches what senders do; without it, it has nothing to report.
    package var isAudited = true

    package init(behaviour: MockSection, credentials: HostCredentials, bundleIDs: [String], seed: UInt64) {
        self.behaviour = behaviour
        self.credentials = credentials
        self.bundleIDs = bundleIDs
        self.seed = seed
    }
}

/// What the hosts prove themselves with and what they let senders in by.
package struct HostCredentials: Sendable {
    /// A provider key that senders may sign with.
    package struct Provider: Sendable {
        package var key: ProviderKey
        package var verifier: VerificationKey

        package init(key: ProviderKey, verifier: VerificationKey) {
            self.key = key
            self.verifier = verifier
        }
    }

    /// A service account that may exchange assertions.
    package struct Account: Sendable {
        package var email: String
        package var keyID: String
        package var verifier: VerificationKey

        package init(email: String, keyID: String, verifier: VerificationKey) {
            self.email = email
            self.keyID = keyID
            self.verifier = verifier
        }
    }

    /// The hosts' own certificate and key.
    package var identity: TLSContext.Identity
    /// The PEM file of the authority whose push certificates the APNs hosts take; nil to ask for none.
    package var clientAuthority: String?
    package var providers: [Provider]
    package var accounts: [Account]
    package var projectID: String

    package init(
        identity: TLSContext.Identity,
        clientAuthority: String? = nil,
        providers: [Provider],
        accounts: [Account],
        projectID: String
    ) {
        self.identity = identity
        self.clientAuthority = clientAuthority
        self.providers = providers
        self.accounts = accounts
        self.projectID = projectID
    }
}
