import Fleet
import FoundationEssentials

extension FleetMixSummary {
    /// The mix as one line of JSON with sorted keys: counts, from which every share follows.
    ///
    /// - Parameters:
    ///   - name: the profile's, or a file's path.
    ///   - listed: the file's fleet, for what it had besides devices.
    func json(name: String, _ listed: CSVFleet? = nil) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(Document(self, name: name, listed)), as: UTF8.self) + "\n"
        } catch {
            preconditionFailure("a fleet's mix can't be encoded: \(error)")
        }
    }

    private struct Document: Encodable {
        let name: String
        let devices: UInt64
        let fleetDevices: UInt64
        /// The first position counted.
        let from: UInt64
        let lanes: [Lane]
        let apps: [App]
        let defects: [String: UInt64]
        let tokens: [String: UInt64]
        let ignoredColumns: [String]?
        let endsWithoutNewline: Bool?

        init(_ summary: FleetMixSummary, name: String, _ listed: CSVFleet?) {
            let mix = summary.mix
            self.name = name
            devices = mix.size
            fleetDevices = summary.fleetSize
            from = summary.positions.lowerBound
            lanes = FleetLane.allCases.map { Lane($0, of: mix) }
            apps = summary.apps.enumerated().map { App(app: $1, devices: mix.count(app: $0)) }
            defects = Dictionary(uniqueKeysWithValues: Defect.allCases.map { ($0.name, mix.count($0)) })
            tokens = Dictionary(uniqueKeysWithValues: TokenKind.allCases.map { ("\($0)", mix.count($0)) })
            ignoredColumns = listed?.ignoredColumns
            endsWithoutNewline = listed?.endsWithoutNewline
        }
    }

    private struct Lane: Encodable {
        let lane: String
        let devices: UInt64
        let defects: [String: UInt64]
        /// Nil for a lane without devices.
        let shortestToken: Int?
        let longestToken: Int?

        init(_ lane: FleetLane, of mix: FleetMix) {
            let lengths = mix.tokenLengths(lane)
            self.lane = lane.name
            devices = mix.count(lane)
            let possible = Defect.allCases.filter { $0.applies(to: lane.provider) }
            defects = Dictionary(uniqueKeysWithValues: possible.map { ($0.name, mix.count(lane, $0)) })
            shortestToken = lengths?.shortest
            longestToken = lengths?.longest
        }
    }

    private struct App: Encodable {
        let app: String
        let devices: UInt64
    }
}
