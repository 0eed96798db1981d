/// Why a run can't be done; one clear line.
package enum RunError: Error, Equatable, CustomStringConvertible {
    /// A lane's host could not be reached or refused us before the load began.
    case host(lane: String, address: String, reason: String)
    /// A credential can't be used.
    case credential(lane: String, reason: String)
    /// A field of the profile that can't be carried out here.
    case profile(field: String, reason: String)
    /// The system refused something that every run needs.
    case system(String)

    package var description: String {
        switch self {
        case .host(let lane, let address, let reason): "lane \(lane): host \(address): \(reason)"
        case .credential(let lane, let reason): "lane \(lane): credential: \(reason)"
        case .profile(let field, let reason): "profile: \(field): \(reason)"
        case .system(let reason): reason
        }
    }
}
