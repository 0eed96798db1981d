import Transport

extension SocketAddress {
    /// True for 0.0.0.0 and ::, which stand for every address of the machine.
    var isUnspecified: Bool { host == "0.0.0.0" || host == "::" }
}
