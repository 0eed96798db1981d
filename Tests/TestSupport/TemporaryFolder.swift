package import Foundation

/// A new folder that lasts as long as this object.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package var path: String { url.path }

    package init() throws {
        // Short, because the path of a Unix socket may have to fit in.
        url = FileManager.default.temporaryDirectory.appending(path: "pushbench-test-\(UUID().uuidString.prefix(13))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        // What can't be removed is left to the machine; no reason to fail a test.
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of something in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Makes a folder in the folder and returns its path.
    package func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// A file's text.
    package func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// The paths of everything in the folder, hidden files and those in folders included, relative to it and in order.
    package func contents() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }
}
