/// Why a profile cannot be used: one thing, with the place where it stands.
package struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Problem: Sendable, Equatable {
        /// The text is not JSON.
        case syntax(String)
        /// A key that this object does not have; `known` are those that it has.
        case unknownKey(nearest: String?, known: [String])
        /// A value of the wrong type or out of range.
        case value(String, allowed: String)
        /// Fields that contradict each other or break a rule of the services.
        case rule(String)
        /// A `--set` option that cannot be followed.
        case option(String)
    }

    /// The file's name as the user gave it, or `--set ...`.
    package var file: String
    /// The line in the file, where there is one.
    package var line: Int?
    /// The field: `load.phases[1].rate`; empty for the whole profile.
    package var path: String
    package var problem: Problem

    package init(file: String, line: Int?, path: String, problem: Problem) {
        self.file = file
        self.line = line
        self.path = path
        self.problem = problem
    }

    /// One line: file and line, field, what it is and what is allowed.
    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        let field = path.isEmpty ? "the profile" : path
        switch problem {
        case .syntax(let message):
            return "\(place): not valid JSON: \(message)"
        case .unknownKey(let nearest?, _):
            return "\(place): \(field) is not a known key; did you mean \"\(nearest)\"?"
        case .unknownKey(nil, let known):
            return "\(place): \(field) is not a known key; known here: \(known.joined(separator: ", "))"
        case .value(let value, let allowed):
            return "\(place): \(field) is \(value); allowed: \(allowed)"
        case .rule(let message):
            return "\(place): \(field) \(message)"
        case .option(let message):
            return "\(place) \(message)"
        }
    }
}
