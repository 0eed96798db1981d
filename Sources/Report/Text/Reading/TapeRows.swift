import Histogram

/// The seconds of a lane, read straight from the tape.
///
/// `Decodable` looks for each member by name through several layers, which for the seconds of a thousand shards takes longer
/// than all else. Here every member is expected where we write it.
struct TapeRows {
    private let tape: JSONTape
    private let decoder = V2Decoder()
    /// The value that is read next.
    private var index: Int
    private let end: Int

    private init(_ decoder: TapeDecoder) {
        tape = decoder.tape
        index = decoder.index + 1
        end = Int(decoder.tape.values[decoder.index].next)
    }

    /// The elements of a list; nil where one is not as we write it, or wrong.
    static func read(_ decoder: TapeDecoder) -> [IntervalRecord]? {
        guard decoder.kind == .array else { return nil }
        var rows = TapeRows(decoder)
        var intervals: [IntervalRecord] = []
        while rows.index < rows.end {
            guard let interval = rows.interval() else { return nil }
            intervals.append(interval)
        }
        return intervals
    }

    private mutating func interval() -> IntervalRecord? {
        let place = index
        guard enter(.object),
            let second: Int = number("second"), let phase: Int = number("phase"),
            let planned: UInt64 = number("planned"), let sent: UInt64 = number("sent"),
            let delivered: UInt64 = number("delivered"), let rejected: UInt64 = number("rejected"),
            let failed: UInt64 = number("failed"), let skipped: UInt64 = number("skipped"),
            let inFlight: UInt64 = number("inFlight"), let backlog: UInt64 = number("backlog"),
            let connections: UInt64 = number("connections"), let response = histogram("response"),
            index == Int(tape.values[place].next)
        else { return nil }
        var interval = IntervalRecord(second: second, phase: phase, response: response)
        (interval.planned, interval.sent) = (planned, sent)
        (interval.delivered, interval.rejected, interval.failed, interval.skipped) =
            (delivered, rejected, failed, skipped)
        (interval.inFlight, interval.backlog, interval.connections) = (inFlight, backlog, connections)
        return interval
    }

    private mutating func histogram(_ name: StaticString) -> RecordedHistogram? {
        guard take(name) else { return nil }
        let place = index
        guard enter(.object), take("v2"), tape.values[index].kind == .string else { return nil }
        let encoded = index
        index += 1
        guard let min: Int64 = number("min"), let max: Int64 = number("max"),
            let sum: UInt128 = number("sum", as: .string), let overflowed: UInt64 = number("overflowed"),
            index == Int(tape.values[place].next)
        else { return nil }
        return tape.withBytes(of: encoded) { text in
            let values = try? SparseHistogram(
                encodedV2: text,
                by: decoder,
                min: min,
                max: max,
                sum: sum,
                overflowed: overflowed
            )
            return values.map { RecordedHistogram($0) }
        }
    }

    private mutating func enter(_ kind: JSONTape.Kind) -> Bool {
        guard tape.values[index].kind == kind else { return false }
        index += 1
        return true
    }

    /// Steps over a member's name; false where it is another.
    private mutating func take(_ name: StaticString) -> Bool {
        guard index < end, tape.values[index].kind == .string else { return false }
        let isIt = tape.withBytes(of: index) { bytes in
            guard bytes.count == name.utf8CodeUnitCount else { return false }
            for place in bytes.indices where bytes[place] != name.utf8Start[place] { return false }
            return true
        }
        index += 1
        return isIt
    }

    /// A member that is a whole number in digits.
    private mutating func number<Number: FixedWidthInteger>(
        _ name: StaticString,
        as kind: JSONTape.Kind = .number
    ) -> Number? {
        guard take(name), index < end, tape.values[index].kind == kind else { return nil }
        defer { index += 1 }
        return tape.withBytes(of: index) { digits in
            guard !digits.isEmpty else { return nil }
            var number: Number = 0
            for digit in digits {
                guard 0x30...0x39 ~= digit else { return nil }
                let (product, high) = number.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.addingReportingOverflow(Number(digit - 0x30))
                guard !high, !carry else { return nil }
                number = sum
            }
            return number
        }
    }
}
