import Foundation

/// The sanitizer that the tests run under, as `scripts/sanitize` says.
package enum Sanitizer {
    private static let name = ProcessInfo.processInfo.environment["PUSHBENCH_SANITIZER"]

    /// Whether there is one: all code takes several times as long then, and what has to be done in real time, such as so
    /// many pushes in a second, may be too much for the machine; memory is several times as much, too.
    package static let isOn = name != nil

    /// Whether it is ThreadSanitizer.
    package static let isForThreads = name == "thread"
}
