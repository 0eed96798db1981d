import Fleet
import LoadPlan
import Resources

/// Descriptors, ports and cores against what the profile asks for.
extension Preflight {
    /// For standard streams, event loops, files and whatever a library opens.
    private static let otherDescriptors = 64

    var machineChecks: [PreflightCheck] { [descriptorCheck, portCheck, coreCheck] }

    /// The connections of each lane.
    private var connections: [Int] { lanes.map(\.section.connections) }

    private var descriptorCheck: PreflightCheck {
        // A connection that drains after GOAWAY stands beside the one that has taken its seat.
        let needed = 2 * connections.reduce(0, +) + Self.otherDescriptors
        let limit = Descriptors.limit()
        let detail = "\(needed) needed at most, \(limit.soft) allowed"
        if UInt64(needed) <= limit.soft { return PreflightCheck("descriptors", .ok, detail) }
        let canRaise = UInt64(needed) <= limit.hard
        return PreflightCheck("descriptors", .failed, detail + (canRaise ? "; try ulimit -n \(needed)" : ""))
    }

    /// Each connection to one address takes a port of its own.
    private var portCheck: PreflightCheck {
        let needed = 2 * (connections.max() ?? 0)
        guard let ports = LocalPorts.count() else {
            return PreflightCheck("ports", .warning, "the range of local ports can't be read")
        }
        return PreflightCheck("ports", needed <= ports ? .ok : .failed, "\(needed) needed at most, \(ports) there")
    }

    private var coreCheck: PreflightCheck {
        guard let cores = try? Machine.current().usableCores else {
            return PreflightCheck("cores", .warning, "can't be counted")
        }
        let detail = "\(workers) workers on \(cores) usable cores"
        return PreflightCheck("cores", workers < cores || cores == 1 ? .ok : .warning, detail)
    }
}
