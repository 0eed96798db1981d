import Driver
import LoadPlan
import Report
import Transport

/// When a run begins, as the user says.
enum StartChoice {
    case whenReady
    /// Nanoseconds since 1970.
    case at(Int64)
    case gate(folder: String, limit: Int64)

    init(_ arguments: Arguments) throws(CommandFailure) {
        let limit = try arguments.duration("start-limit")
        guard let folder = arguments.value("start-gate") else {
            guard limit == nil else { throw .usage("--start-limit needs --start-gate") }
            self =
                try arguments.value("start-at").map { text throws(CommandFailure) in try Self.time(text) } ?? .whenReady
            return
        }
        guard arguments.value("start-at") == nil else { throw .usage("--start-at and --start-gate exclude each other") }
        guard arguments.value("shard") ?? arguments.value("shards") != nil else {
            throw .usage("--start-gate needs --shard or --shards: nobody else would come")
        }
        self = .gate(folder: folder, limit: limit ?? 2 * Nanoseconds.minute)
    }

    private static func time(_ text: String) throws(CommandFailure) -> StartChoice {
        if text.hasPrefix("+"), let delay = Quantity.duration(text.dropFirst()) { return .at(WallClock.now() + delay) }
        // Fractions are rare on a command line.
        let seconds = text.hasSuffix("Z") ? UTCTime(text.dropLast() + ".000000000Z") : nil
        guard let time = UTCTime(text) ?? seconds else {
            throw .usage("--start-at is \(text); allowed: a UTC time such as 2026-11-30T09:20:00Z, or +30s")
        }
        return .at(time.nanoseconds)
    }

    /// What the run does about it.
    ///
    /// - Parameter shard: the part of the run that this process does.
    func rule(for shard: Shard?, profile: Profile) -> StartRule {
        switch self {
        case .whenReady: .whenReady
        case .at(let time): .at(time)
        case .gate(let folder, let limit):
            .gate(
                StartGate(
                    folder: folder,
                    shard: shard ?? .whole,
                    profileHash: ProfileText(profile).hash,
                    limit: limit
                )
            )
        }
    }
}
