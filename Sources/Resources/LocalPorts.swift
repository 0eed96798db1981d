/// The ports that outgoing connections to one address can have.
package enum LocalPorts {
    /// How many there are, by `/proc/sys/net/ipv4/ip_local_port_range`; nil where that can't be read.
    package static func count() -> Int? {
        guard let text = try? TextFile.read("/proc/sys/net/ipv4/ip_local_port_range") else { return nil }
        let ends = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        return ends[1] - ends[0] + 1
    }
}
