import Glibc

/// The file descriptors of this process: each connection takes one, and the limit ends a run that opens too many.
package enum Descriptors {
    /// How many may be open at once (`RLIMIT_NOFILE`).
    package struct Limit: Sendable, Equatable {
        /// The limit in force.
        package var soft: UInt64

        /// How far the process may raise it by itself.
        package var hard: UInt64
    }

    /// How many are open now, counted in `/proc/self/fd`.
    package static func open() throws(ResourceError) -> Int {
        let path = "/proc/self/fd"
        guard let directory = opendir(path) else { throw .file(path: path, code: errno) }
        defer { closedir(directory) }
        var entries = 0
        while readdir(directory) != nil { entries += 1 }
        // Not ".", "..", and not the descriptor of this listing itself.
        return entries - 3
    }

    package static func limit() -> Limit {
        var limit = rlimit()
        let code = getrlimit(resource, &limit)
        // EFAULT and EINVAL only, which these arguments cannot cause.
        precondition(code == 0, "getrlimit failed")
        return Limit(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
    }

    /// Raises the limit in force to `count`, or as near as the hard limit allows, and returns it; never lowers it.
    @discardableResult
    package static func raiseLimit(to count: UInt64) -> Limit {
        let old = limit()
        let wanted = min(count, old.hard)
        guard wanted > old.soft else { return old }
        var new = rlimit(rlim_cur: rlim_t(wanted), rlim_max: rlim_t(old.hard))
        // EPERM cannot happen within the hard limit. Should it, the answer says that nothing changed.
        _ = setrlimit(resource, &new)
        return limit()
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
