import Foundation

/// posix_spawn(3), since Foundation's `Process` counts a program's own children as part of it and knows no terminals.
enum Spawning {
    /// What the program gets as its descriptors.
    struct Descriptors {
        var input: Int32
        var output: Int32
        var errors: Int32
        /// Inherited by all that the program starts in turn, as ``leashNumber``.
        var leash: Int32
        /// A terminal that becomes the program's own, in place of `input` and `errors`.
        var terminal: String?
    }

    static let leashNumber: Int32 = 3

    /// Starts a program with signals as a fresh program expects them.
    static func spawn(
        _ words: [String],
        environment: [String: String],
        folder: String,
        _ descriptors: Descriptors
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let terminal = descriptors.terminal {
            // Opened by the leader of a session that has no terminal yet, it becomes the session's.
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        } else {
            posix_spawn_file_actions_adddup2(&actions, descriptors.input, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, descriptors.errors, STDERR_FILENO)
        }
        posix_spawn_file_actions_adddup2(&actions, descriptors.output, STDOUT_FILENO)
        // Last, since one of the others may have its number here.
        posix_spawn_file_actions_adddup2(&actions, descriptors.leash, leashNumber)
        setSignals(of: &attributes)
        // env(1) goes to the folder and then becomes the program; Glibc's module has no action for that.
        return try start(["/usr/bin/env", "-C", folder] + words, environment, &actions, &attributes)
    }

    private static func setSignals(of attributes: inout posix_spawnattr_t) {
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A session of its own: what is typed at the test's terminal does not reach it.
        let session: Int32 = 0x80  // POSIX_SPAWN_SETSID, a GNU extension
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | session)
        )
    }

    private static func start(
        _ words: [String],
        _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t,
        _ attributes: inout posix_spawnattr_t
    ) throws -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw ProgramFailure("\(words[0]): \(String(cString: strerror(code)))") }
        return pid
    }
}
