/// The ports that one mock listens on, by the names that the command line and the announcement use: a host may have
/// several.
package enum HostPort: String, Sendable, CaseIterable {
    case apnsProduction = "apns-production"
    case apnsSandbox = "apns-sandbox"
    case fcm
    case oauth
    /// In the part of APNs' port 2197: the same host behind another number.
    case apnsProductionAlternate = "apns-production-alternate"
    case apnsSandboxAlternate = "apns-sandbox-alternate"
    /// In the part of `api-manage-broadcast.push.apple.com`: the host's broadcast channels.
    case apnsProductionChannels = "apns-production-channels"
    case apnsSandboxChannels = "apns-sandbox-channels"

    package var name: String { rawValue }

    /// The host behind the port.
    package var host: HostName {
        switch self {
        case .apnsProduction, .apnsProductionAlternate, .apnsProductionChannels: .apnsProduction
        case .apnsSandbox, .apnsSandboxAlternate, .apnsSandboxChannels: .apnsSandbox
        case .fcm: .fcm
        case .oauth: .oauth
        }
    }

    /// Whether it takes requests about broadcast channels, and no pushes.
    ///
    /// Not by `==`, which compares the names.
    var managesChannels: Bool {
        switch self {
        case .apnsProductionChannels, .apnsSandboxChannels: true
        case .apnsProduction, .apnsSandbox, .fcm, .oauth, .apnsProductionAlternate, .apnsSandboxAlternate: false
        }
    }
}
