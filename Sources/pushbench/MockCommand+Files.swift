import FoundationEssentials
import Glibc

/// Where a mock keeps its credentials: a directory of the user's, or one that goes when the mock does.
struct MockDirectory {
    let path: String
    private let isTemporary: Bool

    init(keptAt path: String?) throws(CommandFailure) {
        if let path {
            self.path = path
            isTemporary = false
            return
        }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/pushbench-mock-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw CommandFailure("\(parent): no temporary folder can be made here: \(String(cString: strerror(errno)))")
        }
        self.path = String(cString: made)
        isTemporary = true
    }

    /// Removes a temporary directory with everything in it.
    ///
    /// What can't be removed stays; it is no reason to fail.
    func removeIfTemporary() {
        guard isTemporary else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Waits for the end of standard input.
enum StandardInput {
    private final class Action: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Calls `body` from another thread when standard input has ended; what comes before the end is dropped.
    static func whenItEnds(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Action(body))
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let action = Unmanaged<Action>.fromOpaque(argument).takeRetainedValue()
                var byte: UInt8 = 0
                while true {
                    let count = read(STDIN_FILENO, &byte, 1)
                    if count == 0 || (count < 0 && errno != EINTR) { break }
                }
                action.body()
                return nil
            },
            argument.toOpaque()
        )
        guard code == 0 else {
            argument.release()
            // Without the watcher a mock could outlive its parent, so it had better end now.
            return body()
        }
        pthread_detach(thread)
    }
}
