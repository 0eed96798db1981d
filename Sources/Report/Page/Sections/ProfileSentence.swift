import LoadPlan
import Sending

/// What was run, in one or two sentences.
struct ProfileSentence {
    let data: PageData

    init(_ data: PageData) { self.data = data }

    var text: String {
        let parts = [summary, "\(load).", hosts]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private var record: RunRecord { data.record }

    private var summary: String { data.profile?.summary ?? "" }

    private var fleet: String {
        let devices = "\(HumanUnits.count(record.environment.devices)) devices"
        guard let profile = data.profile, profile.fleet.csv == nil else { return devices }
        let mix = profile.fleet.mix.filter { $0.share > 0 }.map { "\(HumanUnits.percent($0.share)) \($0.lane)" }
        return "\(devices) (\(mix.joined(separator: ", ")))"
    }

    private var load: String {
        let phases = record.phases.map { phase in
            let length = "\(HumanUnits.duration(phase.duration)) of \(HumanUnits.line(phase.name, limit: 40))"
            return phase.warmUp ? length + " (not counted)" : length
        }
        let planned = HumanUnits.count(record.accounting.planned)
        return "\(planned) pushes were planned for \(fleet): \(Self.list(phases))"
    }

    private var hosts: String {
        guard let profile = data.profile else { return "" }
        let lanes = record.lanes.map { lane in
            let section = profile.lane(lane.name)
            let batch = section.batch.map { " and batches of \($0.size)" } ?? ""
            return
                "\(lane.name) with \(section.connections) \(section.connections == 1 ? "connection" : "connections")\(batch)"
        }
        guard !lanes.isEmpty else { return "" }
        let workers = record.generator.workers
        return "Lanes: \(Self.list(lanes)), on \(workers) \(workers == 1 ? "worker" : "workers")."
    }

    private static func list(_ parts: [String]) -> String {
        // A profile may have a thousand phases; a sentence can't.
        let shown = parts.count <= 6 ? parts : parts.prefix(5) + ["\(parts.count - 5) more"]
        guard let last = shown.last, shown.count > 1 else { return shown.first ?? "no phase" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
