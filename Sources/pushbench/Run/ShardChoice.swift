import LoadPlan

/// Which part of a run this process does: as the user says, or as the engine that started it does.
///
/// The environment is looked at only where the user asks for it, so that a run within somebody's job is whole.
enum ShardChoice {
    /// A place among others, as one engine tells it.
    private struct Place {
        var source: String
        /// Counted from 0.
        var number: Int
        /// nil where the engine does not say.
        var count: Int?
    }

    static func shard(_ arguments: Arguments, environment: [String: String]) throws(CommandFailure) -> Shard? {
        if let text = arguments.value("shard") {
            guard arguments.value("shards") == nil else { throw .usage("--shard and --shards exclude each other") }
            guard let shard = Shard(text) else {
                throw .usage("--shard is \(text); allowed: K/N with K from 1 to N, such as 2/4")
            }
            return shard
        }
        guard let text = arguments.value("shards") else { return nil }
        let count = text == "auto" ? nil : Int(text)
        guard text == "auto" || (1...Shard.most).contains(count ?? 0) else {
            throw .usage("--shards is \(text); allowed: auto, or a whole number from 1 to \(Shard.most)")
        }
        return try shard(count: count, environment: environment)
    }

    private static func shard(count: Int?, environment: [String: String]) throws(CommandFailure) -> Shard {
        let place = try place(environment)
        guard let all = count ?? place.count else {
            throw .usage("--shards is auto, but \(place.source) does not say how many there are; give the number")
        }
        if let said = place.count, said != all {
            throw .usage("--shards is \(all), but \(place.source) says \(said)")
        }
        guard (0..<all).contains(place.number), all <= Shard.most else {
            throw .usage("--shards: \(place.source) says number \(place.number), counted from 0, of \(all)")
        }
        return Shard(place.number, of: all)
    }

    /// The one engine that speaks of more than one process; MPI before the job that it runs in.
    private static func place(_ environment: [String: String]) throws(CommandFailure) -> Place {
        func numbers(_ names: String...) throws(CommandFailure) -> [Int]? {
            var numbers: [Int] = []
            for name in names {
                guard let text = environment[name] else { return nil }
                guard let number = Int(text), number >= 0 else {
                    throw .usage("--shards: the variable \(name) is \"\(text)\", no whole number")
                }
                numbers.append(number)
            }
            return numbers
        }
        if let rank = try numbers("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE") {
            return Place(source: "OMPI_COMM_WORLD_SIZE", number: rank[0], count: rank[1])
        }
        if let index = try numbers("JOB_COMPLETION_INDEX") {
            return Place(source: "JOB_COMPLETION_INDEX", number: index[0])
        }
        let task = try numbers("SLURM_PROCID", "SLURM_NTASKS")
            .map { Place(source: "SLURM_NTASKS", number: $0[0], count: $0[1]) }
        let member = try numbers("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN")
            .map { Place(source: "SLURM_ARRAY_TASK_COUNT", number: $0[0] - $0[2], count: $0[1]) }
        // Each job of an array has a task, and each task of a job may be in an array of one.
        if let task, let member, task.count ?? 1 > 1, member.count ?? 1 > 1 {
            throw .usage(
                "--shards: this is a Slurm array of jobs with several tasks each; say which part it is by --shard"
            )
        }
        if let member, member.count ?? 1 > 1 || task == nil { return member }
        if let task { return task }
        throw .usage(
            "--shards needs the variables of an engine (SLURM_PROCID, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or "
                + "OMPI_COMM_WORLD_RANK), and none is set; --shard K/N says which part it is"
        )
    }
}
