import Histogram

/// The numbers of a profile that hardly move between runs of one build, kept in a file so that a change to them is seen.
///
/// Times are not in it: they say more about the machine than about the build. Written by `--export baseline`.
package struct Baseline: Sendable, Equatable {
    /// The number of the layout.
    package static let currentFormat = 1

    /// One number and how far from it a run may be.
    struct Limit: Sendable, Equatable {
        var lane: String
        var metric: String
        var value: Double
        var tolerance: Double
    }

    var name: String
    var toolchain: String
    var allocator: String
    var libraries: [LibraryVersion]
    var profile: ProfileText
    var limits: [Limit]

    /// What a run says.
    init(_ record: RunRecord) {
        name = record.name
        toolchain = record.environment.toolchain
        allocator = record.environment.allocator
        libraries = record.environment.libraries
        profile = record.profile
        limits = ComparedMetric.all(lanes: record.lanes.map(\.name))
            .compactMap { metric in
                guard let tolerance = metric.baselineTolerance, let value = metric.value(record) else { return nil }
                return Limit(lane: metric.lane, metric: metric.name, value: value, tolerance: tolerance)
            }
    }

    func value(lane: String, name: String) -> Double? {
        limits.first { $0.lane == lane && $0.metric == name }?.value
    }

    /// What can be compared with it, each exactly.
    var metrics: [ComparedMetric] {
        var lanes: [String] = []
        for limit in limits where !lanes.contains(limit.lane) { lanes.append(limit.lane) }
        return ComparedMetric.all(lanes: lanes)
            .compactMap { metric in
                guard let limit = limits.first(where: { $0.lane == metric.lane && $0.metric == metric.name }) else {
                    return nil
                }
                var metric = metric
                metric.difference = .exact(limit.tolerance)
                return metric
            }
    }
}

extension ComparedMetric {
    /// Nil for what has no place in a baseline.
    ///
    /// System calls are as steady as bytes where a push is in flight alone, and that is what baselines are recorded with.
    fileprivate var baselineTolerance: Double? {
        if case .exact(let tolerance) = difference { return tolerance }
        return name == ComparedMetric.systemCalls ? 0.1 : nil
    }
}

// MARK: - In a file

extension Baseline: Codable {
    private enum CodingKeys: String, CodingKey {
        case format = "baseline"
        case name, toolchain, allocator, libraries, limits, profile
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.currentFormat, forKey: .format)
        try container.encode(name, forKey: .name)
        try container.encode(toolchain, forKey: .toolchain)
        try container.encode(allocator, forKey: .allocator)
        try container.encode(libraries, forKey: .libraries)
        try container.encode(limits, forKey: .limits)
        try container.encode(profile, forKey: .profile)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let format = try container.decode(Int.self, forKey: .format)
        guard format == Self.currentFormat else {
            throw DecodingError.dataCorruptedError(
                forKey: .format,
                in: container,
                debugDescription: "is \(format); this pushbench reads \(Self.currentFormat)"
            )
        }
        name = try container.decode(String.self, forKey: .name)
        toolchain = try container.decode(String.self, forKey: .toolchain)
        allocator = try container.decode(String.self, forKey: .allocator)
        libraries = try container.decode([LibraryVersion].self, forKey: .libraries)
        limits = try container.decode([Limit].self, forKey: .limits)
        profile = try container.decode(ProfileText.self, forKey: .profile)
    }

    /// Writes the file.
    package func write(to text: ResultText) { OrderedJSON.write(self, to: text, brokenDepth: 2) }
}

extension Baseline.Limit: Codable {
    private enum CodingKeys: String, CodingKey {
        case lane, metric, value, tolerance
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lane, forKey: .lane)
        try container.encode(metric, forKey: .metric)
        try container.encode(FixedDecimal(value, digits: 3), forKey: .value)
        try container.encode(FixedDecimal(tolerance, digits: 3), forKey: .tolerance)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        lane = try container.decode(String.self, forKey: .lane)
        metric = try container.decode(String.self, forKey: .metric)
        value = try container.decode(Double.self, forKey: .value)
        tolerance = try container.decode(Double.self, forKey: .tolerance)
    }
}
