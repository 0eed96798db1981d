import Sending

/// What must be alike for a comparison to be about the build.
enum EnvironmentDifferences {
    /// Facts by their names, and the members of the profile by theirs; a baseline knows fewer than a run.
    struct Facts {
        var facts: [(name: String, value: String)]
        var profile: [String: String]
    }

    static func facts(_ record: RunRecord) -> Facts {
        let environment = record.environment
        return Facts(
            facts: [
                ("machine", machine(environment.machine)), ("system", system(environment.machine)),
                ("toolchain", environment.toolchain), ("allocator", environment.allocator),
                ("libraries", text(environment.libraries)), ("hosts", environment.hosts),
                ("workers", "\(record.generator.workers)"),
            ],
            profile: members(of: record.profile)
        )
    }

    static func facts(_ baseline: Baseline) -> Facts {
        Facts(
            facts: [
                ("toolchain", baseline.toolchain), ("allocator", baseline.allocator),
                ("libraries", text(baseline.libraries)),
            ],
            profile: members(of: baseline.profile)
        )
    }

    /// One line for each fact that isn't the same wherever it is known: the fact and its values.
    static func between(_ all: [Facts]) -> [String] {
        let names = distinct(all.flatMap { $0.facts.map(\.name) })
        let different = names.compactMap { name -> String? in
            let values = distinct(all.compactMap { $0.facts.first { $0.name == name }?.value })
            guard values.count > 1 else { return nil }
            return "\(name): \(values.map { HumanUnits.line($0, limit: 120) }.joined(separator: " / "))"
        }
        return different + profiles(all.map(\.profile))
    }

    /// The parts of the profile that differ; its words and bounds change nothing in a run.
    private static func profiles(_ parts: [[String: String]]) -> [String] {
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

    private static func text(_ libraries: [LibraryVersion]) -> String {
        libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
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
