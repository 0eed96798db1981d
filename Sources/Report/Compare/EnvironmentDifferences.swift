import Sending

/// What must be alike for a comparison to be about the build.
enum EnvironmentDifferences {
    /// One line for each fact that isn't the same in all runs: the fact and its values.
    static func between(_ records: [RunRecord]) -> [String] {
        let facts: [(name: String, value: (RunRecord) -> String)] = [
            ("machine", { machine($0.environment.machine) }), ("system", { system($0.environment.machine) }),
            ("toolchain", \.environment.toolchain), ("allocator", \.environment.allocator),
            ("libraries", { $0.environment.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ") }),
            ("hosts", \.environment.hosts), ("workers", { "\($0.generator.workers)" }),
        ]
        let different = facts.compactMap { fact -> String? in
            let values = distinct(records.map(fact.value))
            guard values.count > 1 else { return nil }
            return "\(fact.name): \(values.map { HumanUnits.line($0, limit: 120) }.joined(separator: " / "))"
        }
        return different + profiles(records)
    }

    /// The parts of the profile that differ; its words and bounds change nothing in a run.
    private static func profiles(_ records: [RunRecord]) -> [String] {
        let parts = records.map { members(of: $0.profile) }
        let names = distinct(parts.flatMap { $0.keys.sorted() })
            .filter { !["$schema", "name", "description", "thresholds", "verdict"].contains($0) }
        let different = names.filter { name in distinct(parts.map { $0[name] ?? "" }).count > 1 }
        return different.isEmpty ? [] : ["profile: \(different.joined(separator: ", "))"]
    }

    private static func members(of profile: ProfileText) -> [String: String] {
        guard case .object(let members)? = try? TapeDecoder(json: Array(profile.text.utf8)).decode(JSONTree.self)
        else {
            return [:]
        }
        return members.mapValues { value in ResultText.collect { OrderedJSON.write(value, to: $0, brokenDepth: 0) } }
    }

    private static func machine(_ machine: MachineRecord) -> String {
        "\(machine.processor), \(machine.usableCores) of \(machine.cores) cores, \(machine.memoryBytes >> 20) MiB"
    }

    private static func system(_ machine: MachineRecord) -> String {
        "\(machine.distribution), kernel \(machine.kernel), \(machine.architecture)"
    }

    private static func distinct(_ values: [String]) -> [String] {
        values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
