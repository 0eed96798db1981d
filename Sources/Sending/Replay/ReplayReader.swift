package import Fleet
package import LoadPlan

/// Reads the times of a replayed phase from CSV as its bytes arrive.
///
/// The header names the columns, in any order: `at_s`, the seconds from the phase's start at which a push is due, with at
/// most nine decimals; and, if wanted, `device`, the push's device by its place in the fleet, counted from 0. Rows stand
/// in the order of their times. The k-th row without a device, counted from 0, goes to the lane of the fleet's k-th
/// device, so rows are spread over the lanes as devices are; there the push's own number chooses the device, as in any
/// other phase. Feed all of the file, then call ``finish()``; after an error the reader is of no more use.
package struct ReplayReader {
    /// The most rows that a file may have: what is read stays in memory, at about 3 to 10 bytes a row.
    package static let mostRows: UInt64 = 100_000_000

    private let fleet: FleetSource
    private let duration: Int64
    private let mostRows: UInt64
    private var reader = CSVRowReader()
    private var columns: [ReplayColumn] = []
    private var times = LaneName.all.map { _ in ReplayTimes() }
    private var rows: UInt64 = 0
    private var rowsWithoutDevice: UInt64 = 0
    private var last: Int64 = 0

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - fleet: the devices that rows are for.
    ///   - duration: nanoseconds that the phase lasts.
    package init(fleet: FleetSource, duration: Int64, mostRows: UInt64 = Self.mostRows) {
        self.fleet = fleet
        self.duration = duration
        self.mostRows = mostRows
    }

    /// Reads the next piece of the file.
    package mutating func feed(_ piece: Span<UInt8>) throws(ReplayError) {
        var position = 0
        while true {
            do throws(FleetCSVError) {
                guard try reader.advance(through: piece, from: &position) else { return }
            } catch {
                throw ReplayError(error)
            }
            try take(reader.row)
        }
    }

    /// Ends the file; the times of each lane, in the order of `LaneName.all`.
    ///
    /// - Throws: an error if the file breaks off or has no rows.
    package mutating func finish() throws(ReplayError) -> [ReplayTimes] {
        let isCut: Bool
        do throws(FleetCSVError) {
            isCut = try reader.finish()
        } catch {
            throw ReplayError(error)
        }
        if isCut { try take(reader.row) }
        guard !columns.isEmpty else { throw ReplayError(line: 1, "the file is empty; \(Self.allowed)") }
        guard rows > 0 else { throw ReplayError(line: 2, "there are no rows after the header") }
        return times
    }
}

// MARK: - Rows

extension ReplayReader {
    private static let allowed = "the first line must name the column at_s, and may name device"

    private mutating func take(_ row: CSVRow) throws(ReplayError) {
        guard !columns.isEmpty else {
            columns = try Self.header(row)
            return
        }
        guard row.count == columns.count else {
            throw ReplayError(line: row.line, "\(row.count) fields where the header has \(columns.count)")
        }
        guard rows < mostRows else { throw ReplayError(line: row.line, "more than \(mostRows) rows") }
        var (time, device) = (Int64(0), UInt64?.none)
        for (field, column) in columns.enumerated() {
            switch column {
            case .time: time = try self.time(row[field], line: row.line)
            case .device: device = try self.device(row[field], line: row.line)
            }
        }
        rows += 1
        last = time
        append(time, device)
    }

    private mutating func append(_ time: Int64, _ device: UInt64?) {
        let place = fleet.place(at: device ?? rowsWithoutDevice % fleet.size)
        if device == nil { rowsWithoutDevice += 1 }
        times[Int(place.lane.rawValue)].append(at: time, ordinal: device == nil ? nil : place.ordinal)
    }

    private static func header(_ row: CSVRow) throws(ReplayError) -> [ReplayColumn] {
        var columns: [ReplayColumn] = []
        for field in 0..<row.count {
            let name = String(decoding: row[field], as: UTF8.self)
            guard let column = ReplayColumn(rawValue: name) else {
                throw ReplayError(line: row.line, "the column \(shown(row[field])) is not known; \(allowed)")
            }
            guard !columns.contains(column) else {
                throw ReplayError(line: row.line, "the column \(name) comes twice")
            }
            columns.append(column)
        }
        guard columns.contains(.time) else { throw ReplayError(line: row.line, "there is no column at_s; \(allowed)") }
        return columns
    }

    private func time(_ text: ArraySlice<UInt8>, line: Int) throws(ReplayError) -> Int64 {
        guard let time = Self.nanoseconds(text) else {
            throw Self.refused(.time, text, line, "seconds such as 12.345, with at most nine decimals")
        }
        guard time < duration else {
            throw Self.refused(
                .time,
                text,
                line,
                "less than the phase's duration, \(Quantity.text(duration: duration))"
            )
        }
        guard time >= last else { throw Self.refused(.time, text, line, "no less than the row before it") }
        return time
    }

    private func device(_ text: ArraySlice<UInt8>, line: Int) throws(ReplayError) -> UInt64? {
        if text.isEmpty { return nil }
        let digits = text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits, let device = UInt64(String(decoding: text, as: UTF8.self)), device < fleet.size else {
            throw Self.refused(.device, text, line, "a device of the fleet, 0 to \(fleet.size - 1), or nothing")
        }
        return device
    }

    /// Decimal seconds as whole nanoseconds; nil for anything else.
    private static func nanoseconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var (value, decimals, digits) = (Int64(0), -1, 0)
        for byte in text {
            if byte == UInt8(ascii: "."), decimals < 0 {
                decimals = 0
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), decimals < 9 else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            guard !isTooLarge, !isOver else { return nil }
            value = sum
            digits += 1
            if decimals >= 0 { decimals += 1 }
        }
        guard digits > 0, decimals != 0 else { return nil }
        for _ in max(0, decimals)..<9 {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { return nil }
            value = product
        }
        return value
    }

    private static func refused(
        _ column: ReplayColumn,
        _ text: ArraySlice<UInt8>,
        _ line: Int,
        _ allowed: String
    ) -> ReplayError {
        ReplayError(line: line, "column \(column.rawValue): \(shown(text)) is not allowed; give \(allowed)")
    }

    /// A value as an error shows it: short, and without control characters.
    private static func shown(_ text: ArraySlice<UInt8>) -> String {
        let shown = text.prefix(40).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return "\"" + String(decoding: shown, as: UTF8.self) + (text.count > 40 ? "..." : "") + "\""
    }
}

/// The columns of a replay file.
private enum ReplayColumn: String {
    case time = "at_s"
    case device
}

/// A replay file that cannot be read, and where it went wrong.
package struct ReplayError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of the file, counted from 1, on which the bad row starts.
    package let line: Int
    /// What is wrong, in which column, and what is allowed.
    package let problem: String

    init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    init(_ error: FleetCSVError) { self.init(line: error.line, error.problem) }

    package var description: String { "line \(line): \(problem)" }
}
