/// A fleet file that cannot be read, and where it went wrong.
package struct FleetCSVError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of the file, counted from 1, on which the bad row starts.
    package let line: Int
    /// The column that holds the bad value; nil if the row as a whole is bad.
    package let column: String?
    /// The bad value as it may be shown, with tokens abbreviated; nil if the row as a whole is bad.
    package let value: String?
    /// What is wrong, and what is allowed.
    package let problem: String

    init(line: Int, problem: String) {
        self.line = line
        column = nil
        value = nil
        self.problem = problem
    }

    /// A bad value in a column, with the values that are allowed in it.
    init(line: Int, column: FleetCSVColumn, value: String, allowed: String) {
        self.line = line
        self.column = column.name
        self.value = value
        problem = "give \(allowed)"
    }

    package var description: String {
        guard let column, let value else { return "line \(line): \(problem)" }
        return "line \(line), column \(column): \(value) is not allowed; \(problem)"
    }
}

/// The columns of a fleet file, in the order they are written.
enum FleetCSVColumn: Int, CaseIterable {
    case index
    case provider
    case environment
    case app
    case token
    case defect

    var name: String {
        switch self {
        case .index: "index"
        case .provider: "provider"
        case .environment: "environment"
        case .app: "app"
        case .token: "token"
        case .defect: "defect"
        }
    }

    /// Whether a file without this column makes no sense.
    var isRequired: Bool { self == .provider || self == .token }
}
