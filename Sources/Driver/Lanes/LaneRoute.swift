import LoadPlan
import Transport

/// The way to a lane's host.
struct LaneRoute: Sendable {
    /// Never none; each connection takes the next one, so that a pool spreads over them.
    let addresses: [SocketAddress]
    /// What the addresses are a proxy's for: the host as `name:port`; nil where they are the host's own.
    let tunnel: String?
    /// The name that the host's certificate must have.
    let serverName: String
    /// The host as it stands in requests.
    let authority: String

    /// - Parameter announced: the host where the section names none.
    init(_ section: LaneSection, announced: String?, lane: String) throws(RunError) {
        let host = try HostURL(section.host ?? announced, lane: lane)
        let proxy = try section.proxy.map { (url) throws(RunError) in try HostURL(proxy: url, lane: lane) }
        addresses = try (proxy ?? host).resolve(lane: lane)
        tunnel = proxy.map { _ in host.endpoint }
        serverName = host.name
        authority = host.authority
    }
}
