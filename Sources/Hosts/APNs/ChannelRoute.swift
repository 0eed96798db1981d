/// Where a broadcast or channel request goes.
///
/// Sources: Apple, "Sending broadcast push notification requests to APNs" and "Sending channel management requests to
/// APNs"; paths as in parse-community/node-apn.
enum ChannelRoute: Equatable {
    /// `/4/broadcasts/apps/<bundle>`, on the host that takes pushes.
    case broadcast
    /// `/1/apps/<bundle>/channels`, on the host that manages channels.
    case channels
    /// `/1/apps/<bundle>/all-channels`, likewise.
    case allChannels

    /// What was found in a path.
    struct Found {
        var route: ChannelRoute
        var bundleID: UnsafeRawBufferPointer
        /// Whether a query follows.
        var hasQuery: Bool
    }

    private static let broadcasts: StaticString = "/4/broadcasts/apps/"
    private static let apps: StaticString = "/1/apps/"

    /// Whether a path on the host that takes pushes is for a broadcast.
    static func isBroadcast(_ path: UnsafeRawBufferPointer) -> Bool { path.starts(with: broadcasts) }

    static func find(in path: UnsafeRawBufferPointer) -> Found? {
        let query = path.firstIndex(of: UInt8(ascii: "?"))
        let bare = path.part(0, query ?? path.count)
        func found(_ route: ChannelRoute, after start: StaticString, before end: StaticString) -> Found? {
            let (first, last) = (start.utf8CodeUnitCount, bare.count - end.utf8CodeUnitCount)
            guard bare.starts(with: start), bare.ends(with: end), first < last else { return nil }
            let bundleID = bare.part(first, last)
            guard !bundleID.contains(UInt8(ascii: "/")) else { return nil }
            return Found(route: route, bundleID: bundleID, hasQuery: query != nil)
        }
        return found(.broadcast, after: broadcasts, before: "") ?? found(.channels, after: apps, before: "/channels")
            ?? found(.allChannels, after: apps, before: "/all-channels")
    }

    func allows(_ method: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .broadcast: method.equals("POST")
        case .channels: method.equals("POST") || method.equals("GET") || method.equals("DELETE")
        case .allChannels: method.equals("GET")
        }
    }
}
