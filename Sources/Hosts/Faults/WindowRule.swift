import LoadPlan

/// How much of requests' bodies may be on its way to a host.
package struct WindowRule: Sendable, Equatable {
    /// When a WINDOW_UPDATE gives room back.
    package enum Updates: Sendable {
        case half
        case each
        case never
    }

    /// Of each stream, in bytes.
    package var stream: UInt32
    /// Of the connection; nil for the usual one.
    package var connection: Int32?
    package var updates: Updates
}

extension HostFaults {
    /// The windows of a new connection; nil for the usual ones.
    package func window(of connection: ConnectionFaults, at elapsed: Int64) -> WindowRule? {
        guard let fault = rules(.window, of: connection, at: elapsed)?.fault, let size = fault.number() else {
            return nil
        }
        let updates: WindowRule.Updates =
            switch fault.word("updates") {
            case "each": .each
            case "never": .never
            default: .half
            }
        return WindowRule(
            stream: UInt32(size),
            connection: fault.number("connection").map { Int32($0) },
            updates: updates
        )
    }

    /// When access tokens are revoked, in nanoseconds since the mock's start; nil for never.
    package var tokensEndAt: Int64? { connectionRules.first { $0.fault.knob == .revokeTokens }?.fault.scope.from }
}
