import Fleet
import LoadPlan
import Report

/// `pushbench fleet`: a profile's devices as CSV, or what a fleet is made of.
struct FleetCommand: Command {
    static let form = CommandForm(
        name: "fleet",
        summary: "Write a profile's devices as CSV, or show what a fleet is made of.",
        operands: "[PROFILE]",
        operandCount: 0...1,
        options: [
            .value("from", "N", "The first device to take.", default: "0"),
            .value("count", "N", "How many devices to take.", default: "all that follow"),
            .value(
                "out",
                "FILE",
                "Write the CSV there; the file appears once it is complete.",
                default: "-, standard output"
            ),
            .flag("summary", "Show the mix of these devices: in place of the CSV, or beside it with --out."),
            .flag("json", "Show the mix as one line of JSON."),
            .value("inspect", "FILE", "Show the mix of a fleet in CSV instead; - is standard input."),
            .value("seed", "N", "The fleet's seed.", default: "the profile's"),
            .value("size", "N", "How many devices the fleet has.", default: "the profile's"),
            .values("set", "PATH=VALUE", "Change a field of the profile, such as fleet.defects.malformed=0.01."),
        ],
        example: "pushbench fleet Profiles/mixed-fleet.json --seed 7 --from 1000 --count 500 --out devices.csv"
    )

    private let profilePath: String?
    private let overrides: [String]
    private let from: UInt64
    private let count: UInt64?
    private let out: String?
    private let wantsSummary: Bool
    private let wantsJSON: Bool
    private let inspected: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        profilePath = arguments.operands.first
        // The short forms come last: they win over --set.
        overrides =
            arguments.all("set")
            + [("seed", "seed"), ("size", "fleet.size")]
            .compactMap { name, field in
                arguments.value(name).map { "\(field)=\($0)" }
            }
        from = try arguments.integer("from", in: 0...FleetSpecification.largestSize) ?? 0
        count = try arguments.integer("count", in: 0...FleetSpecification.largestSize)
        out = arguments.value("out")
        wantsJSON = arguments.has("json")
        wantsSummary = arguments.has("summary") || wantsJSON
        inspected = arguments.value("inspect")
        if inspected != nil { try Self.checkAlone(arguments) }
    }

    /// A file's fleet is what it is: nothing that makes or cuts a fleet goes with it.
    private static func checkAlone(_ arguments: Arguments) throws(CommandFailure) {
        let options = form.options.map(\.name).filter { $0 != "inspect" && $0 != "json" && arguments.has($0) }
        if let other = options.first.map({ "--\($0)" }) ?? arguments.operands.first {
            throw .usage("--inspect shows the fleet of a file as it is; leave out \(other)")
        }
    }

    func run() throws(CommandFailure) -> ExitCode {
        if let inspected { return try inspect(inspected) }
        let file = try ProfileFile.load(profilePath, overrides: overrides)
        let profile = file.profile
        let fleet = try FleetLoading.source(for: file)
        let positions = try positions(of: fleet)
        if out != nil || !wantsSummary {
            let export = FleetExport(fleet: fleet, positions: positions)
            guard try export.write(to: out ?? OutputFile.standardOutput) else { return .interrupted }
        }
        if wantsSummary {
            let mix = FleetMixSummary(of: fleet, positions: positions)
            let origin = profile.fleet.csv ?? "seed \(profile.seed)"
            let text = wantsJSON ? mix.json(name: profile.name) : mix.text(title: [profile.name, origin])
            if out == OutputFile.standardOutput { Console.writeError(text) } else { Console.write(text) }
        }
        return .success
    }

    private func inspect(_ path: String) throws(CommandFailure) -> ExitCode {
        let listed = try FleetFile.read(path)
        let fleet = FleetSource(listed)
        let mix = FleetMixSummary(of: fleet, positions: 0..<fleet.size)
        if wantsJSON {
            Console.write(mix.json(name: path, listed))
            return .success
        }
        var text = mix.text(title: [path])
        if !listed.ignoredColumns.isEmpty {
            text += "\nignored columns: \(listed.ignoredColumns.map { HumanUnits.line($0) }.joined(separator: ", "))\n"
        }
        if listed.endsWithoutNewline {
            text += "\nthe last line has no end: if the file was cut short there, its last device is wrong\n"
        }
        Console.write(text)
        return .success
    }

    private func positions(of fleet: FleetSource) throws(CommandFailure) -> Range<UInt64> {
        guard from <= fleet.size else {
            throw .usage("--from is \(from); the fleet has \(HumanUnits.count(fleet.size)) devices, counted from 0")
        }
        let rest = fleet.size - from
        let count = count ?? rest
        guard count <= rest else {
            throw .usage("--count is \(count); from device \(from) on there are \(HumanUnits.count(rest))")
        }
        return from..<from + count
    }
}
