import CLinux

/// The clock that all times of a run are read on: CLOCK_MONOTONIC in nanoseconds.
///
/// Its zero means nothing (on Linux, the boot); only differences do. It never goes back and is not touched by
/// steps of the wall clock.
package enum MonotonicClock {
    /// The time now, in nanoseconds.
    ///
    /// About 25 ns by the vDSO; read it once per turn of a loop and pass it down.
    package static func now() -> Int64 { linux_monotonic_ns() }
}

/// The clock on the wall: UTC in nanoseconds since 1970-01-01.
///
/// For `iat` claims and file names, never for intervals.
package enum WallClock {
    /// The time now, in nanoseconds since 1970.
    package static func now() -> Int64 { linux_wall_ns() }
}
