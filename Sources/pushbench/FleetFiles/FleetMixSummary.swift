import Fleet
import Histogram
import Report

/// What a fleet is made of, for people and for programs.
struct FleetMixSummary {
    let mix: FleetMix
    let apps: [String]
    let fleetSize: UInt64
    let positions: Range<UInt64>
    private let isListed: Bool

    /// So many apps are listed one by one.
    private static let mostApps = 20

    /// Counts the devices at these positions.
    init(of fleet: FleetSource, positions: Range<UInt64>) {
        mix = FleetMix(of: fleet, positions: positions)
        apps = fleet.apps
        fleetSize = fleet.size
        isListed = fleet.isListed
        self.positions = positions
    }

    /// The text, one table for each way of telling devices apart.
    ///
    /// - Parameter title: what comes before the number of devices and after it.
    func text(title: [String]) -> String {
        var words = title
        words.insert("\(HumanUnits.count(mix.size)) devices", at: 1)
        if let last = positions.last, mix.size < fleetSize {
            let range = "\(HumanUnits.count(positions.lowerBound)) to \(HumanUnits.count(last))"
            words.append("\(range) of \(HumanUnits.count(fleetSize))")
        }
        var tables = [laneTable(), appTable(), defectTable()]
        if isListed { tables.append(tokenTable()) }
        let blocks = [[words.joined(separator: " · ")]] + tables.map { $0.lines(headings: true) }
        return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func laneTable() -> TextTable {
        var table = TextTable(
            Self.counted("lane") + [TextTable.Column(heading: "token length", alignment: .left)]
        )
        for lane in FleetLane.allCases { table.add(counted(lane.name, mix.count(lane)) + [lengths(lane)]) }
        return table
    }

    private func lengths(_ lane: FleetLane) -> String {
        guard let lengths = mix.tokenLengths(lane) else { return "" }
        guard lengths.shortest < lengths.longest else { return "\(lengths.shortest)" }
        let mean = FixedDecimal(Int128(lengths.characters), over: Int128(mix.count(lane)), digits: 1)
        return "\(lengths.shortest) to \(lengths.longest), mean \(mean?.description ?? "")"
    }

    private func appTable() -> TextTable {
        var table = TextTable(Self.counted("app"))
        for app in apps.indices.prefix(Self.mostApps) {
            table.add(counted(apps[app].isEmpty ? "(none)" : apps[app], mix.count(app: app)))
        }
        let others = apps.indices.dropFirst(Self.mostApps)
        if !others.isEmpty {
            table.add(counted("(\(others.count) others)", others.reduce(0) { $0 + mix.count(app: $1) }))
        }
        return table
    }

    private func defectTable() -> TextTable {
        var table = TextTable(Self.counted("defect") + FleetLane.allCases.map { TextTable.Column(heading: $0.name) })
        for defect in Defect.allCases {
            let lanes = FleetLane.allCases.map { lane in
                defect.applies(to: lane.provider) ? HumanUnits.count(mix.count(lane, defect)) : "-"
            }
            table.add(counted(defect.name, mix.count(defect)) + lanes)
        }
        return table
    }

    private func tokenTable() -> TextTable {
        var table = TextTable(Self.counted("tokens"))
        table.add(counted("synthetic", mix.count(.synthetic)), note: "from a generated fleet")
        table.add(counted("foreign", mix.count(.foreign)), note: "perhaps of real devices")
        table.add(counted("misshapen", mix.count(.misshapen)), note: "refused by any host")
        return table
    }

    private static func counted(_ heading: String) -> [TextTable.Column] {
        [.init(heading: heading, alignment: .left), .init(heading: "devices"), .init(heading: "share")]
    }

    private func counted(_ name: String, _ count: UInt64) -> [String] {
        [name, HumanUnits.count(count), HumanUnits.percent(count, of: mix.size)]
    }
}
