/// Decides which of a host's addresses the next connection goes to: each in turn, those that failed left out until none
/// other is left.
package struct AddressRotation: Sendable, Equatable {
    private var failed: [Bool]
    private var next = 0

    package init(addresses: Int) {
        precondition(addresses > 0, "a host has at least one address")
        failed = Array(repeating: false, count: addresses)
    }

    /// The index of the address to use.
    package mutating func take() -> Int {
        if !failed.contains(false) { failed = failed.map { _ in false } }
        while failed[next] { next = (next + 1) % failed.count }
        defer { next = (next + 1) % failed.count }
        return next
    }

    /// No connection could be made to it.
    package mutating func failed(_ address: Int) { failed[address] = true }

    /// A connection to it is ready.
    package mutating func succeeded(_ address: Int) { failed[address] = false }
}
