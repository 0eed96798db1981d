/// What the mock hosts say when they are ready: where they listen and with what credentials they can be used.
///
/// One line of JSON on standard output; the keys are part of the command-line contract.
package struct HostAnnouncement: Codable, Sendable, Equatable {
    /// The credentials that the APNs hosts accept.
    package struct APNs: Codable, Sendable, Equatable {
        /// The path of the `.p8` file.
        package var key: String
        package var keyId: String
        package var teamId: String
        /// The bundle ids that the key may send to.
        package var topics: [String]
        /// The path of the client certificate, a `.p12` file.
        package var certificate: String
        /// Keys that may send less: their refusals can be tried with them.
        package var otherKeys: [Key]?
        /// A second key of the team's, for trying to change keys; nil where there is none.
        package var nextKey: String?
        package var nextKeyId: String?

        package init(key: String, keyId: String, teamId: String, topics: [String], certificate: String) {
            self.key = key
            self.keyId = keyId
            self.teamId = teamId
            self.topics = topics
            self.certificate = certificate
        }
    }

    /// A provider key with a scope.
    package struct Key: Codable, Sendable, Equatable {
        /// The path of the `.p8` file.
        package var key: String
        package var keyId: String
        package var teamId: String
        /// The only environment that it is for; nil for both.
        package var environment: String?
        /// The bundle ids that it may send to.
        package var topics: [String]

        package init(key: String, keyId: String, teamId: String, environment: String?, topics: [String]) {
            self.key = key
            self.keyId = keyId
            self.teamId = teamId
            self.environment = environment
            self.topics = topics
        }
    }

    /// The credentials that the FCM host accepts.
    package struct FCM: Codable, Sendable, Equatable {
        /// The path of the service-account JSON file.
        package var serviceAccount: String
        package var projectId: String

        package init(serviceAccount: String, projectId: String) {
            self.serviceAccount = serviceAccount
            self.projectId = projectId
        }
    }

    /// What ``pushbench`` is for the real hosts, which don't announce themselves.
    package static let real = "real"

    /// Names the announcement, so that a reader can tell it from any other line.
    package var pushbench: String
    package var pid: Int32
    /// The path of the certificate authority's PEM file.
    package var ca: String
    /// URLs by name: `apns-production`, `apns-sandbox`, `fcm`, `oauth` and `control`; with `-alternate` behind one of the
    /// first two the same host's second port, with `-channels` the one for broadcast channels.
    package var hosts: [String: String]
    package var apns: APNs
    package var fcm: FCM

    /// Whether these are the hosts of Apple and Google.
    package var isReal: Bool { pushbench == Self.real }
    /// The file with the roots to trust; nil for those of the system.
    package var trustedFile: String? { ca.isEmpty ? nil : ca }

    package init(
        pushbench: String = "mock",
        pid: Int32,
        ca: String,
        hosts: [String: String],
        apns: APNs,
        fcm: FCM
    ) {
        self.pushbench = pushbench
        self.pid = pid
        self.ca = ca
        self.hosts = hosts
        self.apns = apns
        self.fcm = fcm
    }
}
