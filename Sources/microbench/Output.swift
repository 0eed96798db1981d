import FoundationEssentials
import Histogram
import Resources

/// Everything that one call measured, as `--json` prints it.
struct Output: Encodable {
    let machine: Machine
    let versions: Versions
    let benchmarks: [Measurement]

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// The table on the terminal, line by line, so that each row appears when it is measured.
struct Table {
    private let nameWidth: Int

    init(names: [String]) {
        nameWidth = names.reduce(9) { Swift.max($0, $1.utf8.count) }
    }

    func header(_ machine: Machine, _ versions: Versions) -> String {
        """
        \(machine.processor), \(machine.usableCores) cores · \(machine.distribution) · Swift \(versions.swift) · \
        \(versions.allocator)

        \(row("benchmark", ["ns/op min", "median", "op/s", "allocs/op", "by library", "bytes/op"]))
        """
    }

    func row(_ measurement: Measurement) -> String {
        let columns = [
            number(measurement.nanosecondsMinimum),
            number(measurement.nanosecondsMedian),
            FixedDecimal.text(measurement.operationsPerSecond, digits: 0),
            number(measurement.allocations),
            number(measurement.libraryAllocations),
            number(measurement.bytes),
        ]
        return row(measurement.name, columns)
    }

    private func row(_ name: String, _ columns: [String]) -> String {
        padded(name, to: nameWidth, left: true) + columns.map { padded($0, to: 13, left: false) }.joined()
    }

    /// Whole numbers without decimals, so that a 0 is seen to be exactly 0.
    private func number(_ value: Double) -> String {
        value == value.rounded()
            ? FixedDecimal.text(value, digits: 0) : FixedDecimal.text(value, digits: value < 100 ? 2 : 0)
    }

    private func padded(_ text: String, to width: Int, left: Bool) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - text.count))
        return left ? text + spaces : spaces + text
    }
}
