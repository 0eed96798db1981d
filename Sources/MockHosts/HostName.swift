/// The hosts that one mock serves, by the names that the command line and the announcement use.
package enum HostName: UInt8, Sendable, CaseIterable {
    case apnsProduction
    case apnsSandbox
    case fcm
    case oauth

    package var name: String {
        switch self {
        case .apnsProduction: "apns-production"
        case .apnsSandbox: "apns-sandbox"
        case .fcm: "fcm"
        case .oauth: "oauth"
        }
    }

    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// APNs speaks HTTP/2 only; Google's hosts speak HTTP/1.1 too.
    var speaksHTTP1: Bool { self == .fcm || self == .oauth }

    /// What the announcement adds to the address: the token endpoint is a path, the others are hosts.
    var path: String { self == .oauth ? "/token" : "" }
}

/// One value for each host.
struct PerHost<Value> {
    private var values: [Value]

    init<Failure: Error>(_ make: (HostName) throws(Failure) -> Value) throws(Failure) {
        values = try HostName.allCases.map(make)
    }

    subscript(host: HostName) -> Value {
        @inline(__always) _read { yield values[Int(host.rawValue)] }
        @inline(__always) _modify { yield &values[Int(host.rawValue)] }
    }
}
