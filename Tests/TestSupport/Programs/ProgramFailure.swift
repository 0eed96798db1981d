/// A program that a test needs could not be started, or went beyond its time.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
