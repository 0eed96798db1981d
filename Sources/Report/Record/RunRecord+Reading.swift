import Sending

/// Why a file is not a record: one line with the file and the field.
package struct RecordError: Error, Sendable, Equatable, CustomStringConvertible {
    package var file: String
    /// Such as `lanes[0].phases[1].counts.planned`; empty for the file as a whole.
    package var field: String
    package var problem: String

    package var description: String {
        field.isEmpty ? "\(file): \(problem)" : "\(file): \(field): \(problem)"
    }
}

extension RunRecord {
    /// Reads a record and checks that it is whole.
    ///
    /// - Parameter file: the file's name, for messages.
    package init(json bytes: [UInt8], file: String) throws(RecordError) {
        do {
            let decoder = try TapeDecoder(json: bytes)
            // The number first: a newer layout must not be reported as a missing field.
            let schema = try decoder.decode(SchemaOnly.self).schema
            guard schema == Self.currentSchema else {
                throw RecordError(
                    file: file,
                    field: "schema",
                    problem: "is \(schema); this pushbench reads \(Self.currentSchema)"
                )
            }
            self = try decoder.decode(RunRecord.self)
        } catch let error as DecodingError {
            throw RecordError(file: file, error)
        } catch let error as RecordError {
            throw error
        } catch {
            throw RecordError(file: file, field: "", problem: "can't be read: \(error)")
        }
        if let problem = contradiction {
            throw RecordError(file: file, field: problem.field, problem: problem.problem)
        }
    }

    private struct SchemaOnly: Decodable {
        let schema: Int
    }

    /// The first place where the record contradicts itself, since the other files are made without asking again.
    private var contradiction: (field: String, problem: String)? {
        for (index, phase) in phases.enumerated() {
            if phase.end < phase.start { return ("phases[\(index)].end", "is before the phase's start") }
            guard (0...phase.end - phase.start).contains(phase.duration) else {
                return ("phases[\(index)].duration", "is not between 0 and the time from start to end")
            }
        }
        for (index, lane) in lanes.enumerated() {
            if let problem = contradiction(in: lane) { return ("lanes[\(index)].\(problem.field)", problem.problem) }
        }
        let sum = lanes.flatMap(\.phases).reduce(into: PushCounts()) { $0 += $1.counts }
        guard sum == accounting else { return ("accounting", "is not the sum over lanes and phases") }
        return nil
    }

    private func contradiction(in lane: LaneRecord) -> (field: String, problem: String)? {
        // A lane's name is part of a tag in the histogram log, where commas and spaces separate.
        guard !lane.name.isEmpty, !lane.name.contains(where: { $0 == "," || $0.isWhitespace }) else {
            return ("name", "is empty or has a comma or space")
        }
        guard lane.phases.count == phases.count else {
            return ("phases", "has \(lane.phases.count) elements, but the run has \(phases.count) phases")
        }
        var previous = Int.min
        for (index, interval) in lane.timeline.enumerated() {
            guard phases.indices.contains(interval.phase) else {
                return ("timeline[\(index)].phase", "is \(interval.phase), but the run has \(phases.count) phases")
            }
            guard interval.second > previous, interval.second >= 0 else {
                return ("timeline[\(index)].second", "is not later than the one before")
            }
            previous = interval.second
        }
        return nil
    }
}

extension RecordError {
    /// Says in our words what a decoder found.
    package init(file: String, _ error: DecodingError) {
        self.file = file
        switch error {
        case .keyNotFound(let key, let context):
            field = Self.path(context.codingPath + [key])
            problem = "is missing"
        case .valueNotFound(let type, let context):
            field = Self.path(context.codingPath)
            problem = "is null, but \(Self.word(for: type)) is needed"
        case .typeMismatch(let type, let context):
            field = Self.path(context.codingPath)
            problem = "is not \(Self.word(for: type))"
        case .dataCorrupted(let context):
            field = Self.path(context.codingPath)
            problem = Self.oneLine(context.debugDescription)
        @unknown default:
            field = ""
            problem = "can't be read"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is any BinaryInteger.Type: "a whole number in range"
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is [String: Any].Type: "an object"
        case is [Any].Type, is any Collection.Type: "a list"
        default: "an object"
        }
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
