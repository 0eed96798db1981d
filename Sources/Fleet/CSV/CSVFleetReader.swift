/// Reads a fleet from CSV as its bytes arrive.
///
/// The header names the columns, in any order: `provider` (`apns`, `fcm`) and `token` at least; `environment`
/// (`production`, `sandbox`) and `app` (the APNs topic) for APNs devices; `index` (the row's number if absent) and
/// `defect` (`none` if absent) optionally. Other columns are ignored. Feed all of the file, then call ``finish()``;
/// after an error the reader is of no more use.
package struct CSVFleetReader {
    /// The most rows a fleet file may have.
    package static let mostRows = Int(UInt32.max)
    /// The most apps a fleet file may name.
    package static let mostApps = 65_536

    private var reader = CSVRowReader()
    private var header: Header?
    private var rows: [CSVFleet.Row] = []
    private var tokens: [UInt8] = []
    private var apps = AppTable()
    private let routing: CSVRouting

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - expectedBytes: the file's size if known: it saves moving a large fleet about in memory.
    ///   - routing: what becomes of rows that leave something open.
    package init(expectedBytes: Int = 0, routing: CSVRouting = CSVRouting()) {
        self.routing = routing
        tokens.reserveCapacity(expectedBytes)
    }

    /// Reads the next piece of the file.
    package mutating func feed(_ piece: Span<UInt8>) throws(FleetCSVError) {
        var position = 0
        while try reader.advance(through: piece, from: &position) { try take(reader.row) }
    }

    /// Ends the file and makes the fleet.
    ///
    /// - Throws: an error if the file breaks off, or has no devices.
    package mutating func finish() throws(FleetCSVError) -> CSVFleet {
        let isCut = try reader.finish()
        if isCut { try take(reader.row) }
        guard let header else { throw FleetCSVError(line: 1, problem: "the file is empty; \(Header.allowed)") }
        guard !rows.isEmpty else { throw FleetCSVError(line: 2, problem: "there are no devices after the header") }
        return CSVFleet(
            rows: rows,
            tokens: tokens,
            apps: apps.names,
            ignoredColumns: header.ignored,
            endsWithoutNewline: isCut
        )
    }

    private mutating func take(_ row: CSVRow) throws(FleetCSVError) {
        guard let header else {
            header = try Header(row)
            return
        }
        guard row.count == header.count else {
            let problem = "\(row.count) fields where the header has \(header.count)"
            throw FleetCSVError(line: row.line, problem: problem)
        }
        guard rows.count < Self.mostRows else {
            throw FleetCSVError(line: row.line, problem: "more than \(Self.mostRows) devices")
        }
        let fields = Fields(row: row, header: header)
        var lane = try fields.lane(routing)
        let token = try fields.token()
        if routing.sendsMisshapenToFCM, lane.provider == .apns, !token.withUnsafeBytes(TokenShape.isAPNs) {
            lane = .fcm
        }
        rows.append(
            CSVFleet.Row(
                index: try fields.index() ?? UInt64(rows.count),
                start: UInt64(tokens.count),
                length: UInt8(token.count),
                lane: lane,
                defect: try fields.defect(),
                app: try apps.number(of: fields.app(lane: lane), line: row.line)
            )
        )
        tokens.append(contentsOf: token)
    }
}

/// What becomes of rows that leave something open.
package struct CSVRouting: Sendable, Equatable {
    /// By app, the environment of APNs devices whose row names none.
    package var environments: [String: Environment]
    /// APNs devices whose token has no APNs token's shape go to FCM.
    package var sendsMisshapenToFCM: Bool

    package init(environments: [String: Environment] = [:], sendsMisshapenToFCM: Bool = false) {
        self.environments = environments
        self.sendsMisshapenToFCM = sendsMisshapenToFCM
    }
}

/// Which field of a row is which column.
private struct Header {
    static let allowed =
        "the first line must name the columns provider and token, "
        + "and may name index, environment, app and defect"

    let count: Int
    let ignored: [String]
    /// The field of each column by the column's place among all cases; -1 for an absent one.
    private let fields: [Int]

    init(_ row: CSVRow) throws(FleetCSVError) {
        var fields = FleetCSVColumn.allCases.map { _ in -1 }
        var ignored: [String] = []
        for field in 0..<row.count {
            let name = String(decoding: row[field], as: UTF8.self)
            guard let place = FleetCSVColumn.allCases.firstIndex(where: { $0.name == name }) else {
                ignored.append(name)
                continue
            }
            guard fields[place] < 0 else {
                throw FleetCSVError(line: row.line, problem: "the column \(name) comes twice")
            }
            fields[place] = field
        }
        for column in FleetCSVColumn.allCases where column.isRequired && fields[column.rawValue] < 0 {
            throw FleetCSVError(line: row.line, problem: "there is no column \(column.name); \(Self.allowed)")
        }
        self.fields = fields
        self.ignored = ignored
        count = row.count
    }

    subscript(column: FleetCSVColumn) -> Int? {
        let field = fields[column.rawValue]
        return field < 0 ? nil : field
    }
}

/// The apps of a file in order of first appearance.
private struct AppTable {
    private(set) var names: [String] = []
    private var numbers: [String: UInt16] = [:]
    /// The first few names, which most files have no more of: comparing them is cheaper than hashing.
    private var first: [[UInt8]] = []

    mutating func number(of name: ArraySlice<UInt8>, line: Int) throws(FleetCSVError) -> UInt16 {
        for number in first.indices where first[number].elementsEqual(name) { return UInt16(number) }
        let text = String(decoding: name, as: UTF8.self)
        if let number = numbers[text] { return number }
        guard names.count < CSVFleetReader.mostApps else {
            throw FleetCSVError(line: line, problem: "more than \(CSVFleetReader.mostApps) different apps")
        }
        let number = UInt16(names.count)
        if number < 8 { first.append(Array(name)) }
        numbers[text] = number
        names.append(text)
        return number
    }
}

/// The values of one row, each checked.
private struct Fields {
    let row: CSVRow
    let header: Header

    private func bytes(_ column: FleetCSVColumn) -> ArraySlice<UInt8>? { header[column].map { row[$0] } }

    private func text(_ column: FleetCSVColumn) -> String {
        bytes(column).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func refused(_ column: FleetCSVColumn, allowed: String) -> FleetCSVError {
        let text = text(column)
        let shown = text.count > 40 ? text.prefix(40) + "..." : text[...]
        return FleetCSVError(line: row.line, column: column, value: String(shown).debugDescription, allowed: allowed)
    }

    private func holds(_ column: FleetCSVColumn, _ text: StaticString) -> Bool {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return bytes(column)?.elementsEqual(expected) ?? expected.isEmpty
    }

    func index() throws(FleetCSVError) -> UInt64? {
        guard let digits = bytes(.index) else { return nil }
        // Below 10^19, so that it cannot overflow.
        guard (1...19).contains(digits.count), digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
            throw refused(.index, allowed: "a whole number from 0")
        }
        return digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
    }

    /// The device's own environment wins over its app's.
    func lane(_ routing: CSVRouting) throws(FleetCSVError) -> FleetLane {
        if holds(.provider, "apns") {
            if holds(.environment, "production") { return .apnsProduction }
            if holds(.environment, "sandbox") { return .apnsSandbox }
            if holds(.environment, ""), !routing.environments.isEmpty, let own = routing.environments[text(.app)] {
                return own == .production ? .apnsProduction : .apnsSandbox
            }
            throw refused(.environment, allowed: "production or sandbox")
        }
        guard holds(.provider, "fcm") else { throw refused(.provider, allowed: "apns or fcm") }
        guard holds(.environment, "") || holds(.environment, "production") else {
            throw refused(.environment, allowed: "nothing or production: FCM has no other")
        }
        return .fcm
    }

    func app(lane: FleetLane) throws(FleetCSVError) -> ArraySlice<UInt8> {
        let app = bytes(.app) ?? []
        if app.isEmpty, lane == .fcm { return app }
        guard AppName.isAllowed(app) else { throw refused(.app, allowed: AppName.allowed) }
        return app
    }

    /// The token, of whatever shape as long as it fits in a request: malformed ones are there to be sent.
    func token() throws(FleetCSVError) -> ArraySlice<UInt8> {
        let token = bytes(.token) ?? []
        let isText = token.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        guard isText, (1...Fleet.maximumTokenLength).contains(token.count) else {
            let value = token.isEmpty ? "an empty token" : "\(TokenLabel(token)) of \(token.count) bytes"
            let allowed = "1 to \(Fleet.maximumTokenLength) ASCII characters without spaces, quotes or backslashes"
            throw FleetCSVError(line: row.line, column: .token, value: value, allowed: allowed)
        }
        return token
    }

    func defect() throws(FleetCSVError) -> Defect {
        if header[.defect] == nil || holds(.defect, "none") { return .none }
        guard let defect = Defect(name: text(.defect)) else {
            throw refused(.defect, allowed: Defect.allCases.map(\.name).joined(separator: ", "))
        }
        return defect
    }
}
