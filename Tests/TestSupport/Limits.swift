package import Foundation

/// How long a test waits before it gives up: far beyond what anything takes on a slow and busy machine.
///
/// A limit only ends a test that would hang; no test asserts how long something took.
package enum Limit {
    /// For a program that does some seconds of work.
    package static let standard: TimeInterval = 120
}
