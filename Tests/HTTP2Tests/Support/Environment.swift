import Foundation

enum Environment {
    /// A number from an environment variable, or nil.
    static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
