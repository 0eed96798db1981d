import Hosts
import LoadPlan

/// The faults of all hosts; asking whether a host has any costs one test of a bit.
struct FaultDesk {
    private var faults: PerHost<HostFaults?>
    private let faulty: UInt8
    /// How often connections have to be looked at, in nanoseconds; nil for never.
    let watchInterval: Int64?

    init(_ all: [Fault], seed: UInt64) {
        let faults = PerHost { host in
            HostFaults(all, host: host.name, seed: seed ^ UInt64(host.rawValue &+ 1) << 40)
        }
        self.faults = faults
        faulty = HostName.allCases.reduce(0) { faults[$1] == nil ? $0 : $0 | 1 << $1.rawValue }
        watchInterval = HostName.allCases.compactMap { faults[$0]?.watchInterval }.min()
    }

    @inline(__always)
    func has(_ host: HostName) -> Bool { faulty & (1 << host.rawValue) != 0 }

    /// The faults of a host that has some.
    subscript(host: HostName) -> HostFaults {
        get {
            guard let found = faults[host] else { preconditionFailure("\(host) has no faults") }
            return found
        }
        set { faults[host] = newValue }
    }
}
