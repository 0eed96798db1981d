/// A fleet read from a file: its devices in memory, about 30 bytes each beside their tokens.
///
/// Made by ``CSVFleetReader``. A class, so that handing a fleet around never copies it; it does not change.
package final class CSVFleet: Sendable {
    /// A device's row.
    struct Row: Sendable {
        let index: UInt64
        /// Where in `tokens` the token starts.
        let start: UInt64
        let length: UInt8
        let lane: FleetLane
        let defect: Defect
        let app: UInt16
    }

    /// The apps in order of first appearance; empty for FCM devices that name none.
    package let apps: [String]
    /// Columns of the file that mean nothing here.
    package let ignoredColumns: [String]
    /// The file's last line had no end: it may have been cut short within the last field.
    package let endsWithoutNewline: Bool

    let rows: [Row]
    private let tokens: [UInt8]
    private let rowsOfLane: PerLane<[UInt32]>

    init(
        rows: [Row],
        tokens: [UInt8],
        apps: [String],
        ignoredColumns: [String],
        endsWithoutNewline: Bool
    ) {
        var rowsOfLane = PerLane<[UInt32]>(repeating: [])
        for (position, row) in rows.enumerated() { rowsOfLane[row.lane].append(UInt32(position)) }
        self.rowsOfLane = rowsOfLane
        self.rows = rows
        self.tokens = tokens
        self.apps = apps
        self.ignoredColumns = ignoredColumns
        self.endsWithoutNewline = endsWithoutNewline
    }

    /// How many devices there are.
    package var size: UInt64 { UInt64(rows.count) }

    /// The device in a row, counted from 0 after the header.
    ///
    /// - Precondition: `row` is below ``size``.
    package func device(atRow row: UInt64) -> Device {
        let key = row
        let row = rows[Int(row)]
        return Device(
            index: row.index,
            lane: row.lane,
            defect: row.defect,
            app: Int(row.app),
            tokenLength: Int(row.length),
            key: key
        )
    }

    /// How many devices the lane has.
    package func laneCount(_ lane: FleetLane) -> UInt64 { UInt64(rowsOfLane[lane].count) }

    /// The lane's device number `ordinal` in the file's order, starting again from the first after the last.
    ///
    /// - Precondition: the lane has devices.
    package func device(lane: FleetLane, ordinal: UInt64) -> Device {
        let count = laneCount(lane)
        precondition(count > 0, "the lane has no devices")
        return device(atRow: UInt64(rowsOfLane[lane][Int(ordinal < count ? ordinal : ordinal % count)]))
    }

    /// The lane of the device in a row, counted from 0, and the device's number within the lane.
    func place(atRow row: UInt64) -> (lane: FleetLane, ordinal: UInt64) {
        let lane = rows[Int(row)].lane
        let rows = rowsOfLane[lane]
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < row { low = middle + 1 } else { high = middle }
        }
        return (lane, UInt64(low))
    }

    /// Writes a device's token in ASCII.
    ///
    /// - Parameters:
    ///   - device: a device of this fleet.
    ///   - buffer: memory of at least ``Fleet/maximumTokenLength`` bytes.
    /// - Returns: the token's length.
    package func writeToken(of device: Device, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let start = Int(rows[Int(device.key)].start)
        tokens.withUnsafeBytes { tokens in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: tokens[start..<start + device.tokenLength]))
        }
        return device.tokenLength
    }

    /// What a device's token is, by its text alone.
    package func tokenKind(of device: Device) -> TokenKind {
        let start = Int(rows[Int(device.key)].start)
        return tokens.withUnsafeBytes { tokens in
            let token = UnsafeRawBufferPointer(rebasing: tokens[start..<start + device.tokenLength])
            return TokenKind(of: token, provider: device.lane.provider)
        }
    }
}

/// Where a token seems to come from.
package enum TokenKind: UInt8, Sendable, CaseIterable {
    /// From a generated fleet: it carries a ``TokenMark``.
    case synthetic
    /// From elsewhere: it has the right shape and no mark.
    case foreign
    /// From nowhere: no token of that provider has such a shape.
    case misshapen

    package init(of token: UnsafeRawBufferPointer, provider: Provider) {
        let isShaped = provider == .apns ? TokenShape.isAPNs(token) : TokenShape.isFCM(token)
        if !isShaped {
            self = .misshapen
        } else {
            self = TokenMark(token: token) == nil ? .foreign : .synthetic
        }
    }
}
