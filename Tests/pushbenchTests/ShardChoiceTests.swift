import LoadPlan
import Testing

@testable import pushbench

@Suite("Which part of a run a process does")
struct ShardChoiceTests {
    /// Variables as engines set them.
    private static let slurm = ["SLURM_PROCID": "2", "SLURM_NTASKS": "4"]
    private static let oneTask = ["SLURM_PROCID": "0", "SLURM_NTASKS": "1"]
    private static let array = [
        "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "5",
    ]
    private static let kubernetes = ["JOB_COMPLETION_INDEX": "3"]
    private static let mpi = ["OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"]

    private static func shard(_ words: [String], _ environment: [String: String]) throws(CommandFailure) -> Shard? {
        try ShardChoice.shard(Arguments(words, for: RunCommand.form), environment: environment)
    }

    private static func merged(_ parts: [String: String]...) -> [String: String] {
        parts.reduce(into: [:]) { $0.merge($1) { _, new in new } }
    }

    static let choices: [([String], [String: String], Shard?)] = [
        ([], merged(slurm, kubernetes, mpi), nil), (["--shard", "2/4"], slurm, Shard(1, of: 4)),
        (["--shards", "auto"], slurm, Shard(2, of: 4)), (["--shards", "4"], slurm, Shard(2, of: 4)),
        (["--shards", "auto"], merged(oneTask, array), Shard(2, of: 3)), (["--shards", "3"], array, Shard(2, of: 3)),
        (["--shards", "auto"], oneTask, Shard(0, of: 1)), (["--shards", "8"], kubernetes, Shard(3, of: 8)),
        (["--shards", "auto"], merged(slurm, mpi), Shard(1, of: 2)),
    ]

    @Test(arguments: choices)
    func chosen(words: [String], environment: [String: String], shard: Shard?) throws {
        #expect(try Self.shard(words, environment) == shard)
    }

    static let refused: [([String], [String: String], String)] = [
        (["--shard", "5/4"], [:], "--shard is 5/4; allowed: K/N with K from 1 to N, such as 2/4"),
        (["--shard", "1/2", "--shards", "2"], [:], "--shard and --shards exclude each other"),
        (["--shards", "0"], slurm, "--shards is 0; allowed: auto, or a whole number from 1 to 65536"),
        (["--shards", "many"], slurm, "--shards is many; allowed: auto, or a whole number from 1 to 65536"),
        (["--shards", "5"], slurm, "--shards is 5, but SLURM_NTASKS says 4"),
        (["--shards", "2"], array, "--shards is 2, but SLURM_ARRAY_TASK_COUNT says 3"),
        (
            ["--shards", "auto"], kubernetes,
            "--shards is auto, but JOB_COMPLETION_INDEX does not say how many there are; give the number"
        ),
        (
            ["--shards", "3"], kubernetes,
            "--shards: JOB_COMPLETION_INDEX says number 3, counted from 0, of 3"
        ),
        (
            ["--shards", "auto"], ["SLURM_PROCID": "x", "SLURM_NTASKS": "4"],
            "--shards: the variable SLURM_PROCID is \"x\", no whole number"
        ),
        (
            ["--shards", "auto"], merged(slurm, array),
            "--shards: this is a Slurm array of jobs with several tasks each; say which part it is by --shard"
        ),
        (
            ["--shards", "4"], [:],
            "--shards needs the variables of an engine (SLURM_PROCID, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or "
                + "OMPI_COMM_WORLD_RANK), and none is set; --shard K/N says which part it is"
        ),
    ]

    @Test(arguments: refused)
    func refusedInOneLine(words: [String], environment: [String: String], message: String) {
        #expect(throws: CommandFailure.usage(message)) { try Self.shard(words, environment) }
    }

    static let starts: [([String], String)] = [
        (["--start-at", "noon"], "--start-at is noon; allowed: a UTC time such as 2026-11-30T09:20:00Z, or +30s"),
        (["--start-at", "+x"], "--start-at is +x; allowed: a UTC time such as 2026-11-30T09:20:00Z, or +30s"),
        (
            ["--start-at", "2026-02-30T09:20:00Z"],
            "--start-at is 2026-02-30T09:20:00Z; allowed: a UTC time such as 2026-11-30T09:20:00Z, or +30s"
        ),
        (["--start-gate", "g"], "--start-gate needs --shard or --shards: nobody else would come"),
        (["--start-limit", "5s"], "--start-limit needs --start-gate"),
        (
            ["--start-limit", "5", "--start-gate", "g"],
            "--start-limit is 5; allowed: a duration such as 500ms, 30s or 2m"
        ),
        (
            ["--start-gate", "g", "--shard", "1/2", "--start-at", "+1s"],
            "--start-at and --start-gate exclude each other"
        ),
    ]

    @Test(arguments: starts)
    func startsThatMakeNoSense(words: [String], message: String) {
        #expect(throws: CommandFailure.usage(message)) {
            try StartChoice(Arguments(words, for: RunCommand.form))
        }
    }

    @Test func aStartIsATimeOfDay() throws {
        let start = try StartChoice(Arguments(["--start-at", "2026-11-30T09:20:00Z"], for: RunCommand.form))
        if case .at(let time) = start {
            #expect(time == 1_796_030_400_000_000_000)
        } else {
            Issue.record("\(start)")
        }
    }
}
