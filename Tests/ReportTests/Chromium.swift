import Foundation

/// Debian's Chromium without a window, where it is installed.
enum Chromium {
    /// What one page left behind.
    struct Visit {
        /// The document after its scripts have run.
        let document: String
        /// What the console said, one message a line.
        let console: [String]
    }

    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Opens a page without network and waits until its scripts have run; at most a minute.
    static func visit(_ html: String, dark: Bool) throws -> Visit {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appending(path: "page.html")
        try Data(html.utf8).write(to: page)
        let files = ["out", "err"].map { folder.appending(path: $0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments =
            ["--kill-after=5", "60", path ?? "chromium"]
            + [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
                "--disable-background-networking", "--no-first-run", "--enable-logging=stderr", "--log-level=0",
                "--window-size=1280,1000", "--virtual-time-budget=2000", "--user-data-dir=\(folder.path)/profile",
                // 0 is dark and 1 is light in Blink's list of colour schemes.
                "--blink-settings=preferredColorScheme=\(dark ? 0 : 1)", "--dump-dom", page.absoluteString,
            ]
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let errors = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus, errors: errors) }
        return Visit(
            document: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
            console: errors.split(separator: "\n").map(String.init).filter { $0.contains(":CONSOLE") }
        )
    }

    struct Failure: Error {
        var status: Int32
        var errors: String
    }
}
