import Glibc

/// Clocks that run only while the processor works for us, in nanoseconds.
package enum CPUClock {
    /// CPU time of the calling thread so far (`CLOCK_THREAD_CPUTIME_ID`).
    package static func thread() -> Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// CPU time of all threads of this process so far, ended ones included (`CLOCK_PROCESS_CPUTIME_ID`).
    package static func process() -> Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        let code = clock_gettime(clockid_t(clock), &time)
        // EINVAL only: both clocks exist on every Linux.
        precondition(code == 0, "clock \(clock) cannot be read")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// What the kernel has counted for this process so far: `getrusage(RUSAGE_SELF)`, with all its threads.
package struct ProcessUsage: Sendable, Equatable {
    /// CPU time in our own code, in nanoseconds (the kernel keeps microseconds).
    package var userNanoseconds: Int64

    /// CPU time in the kernel for us, in nanoseconds.
    package var systemNanoseconds: Int64

    /// Times that a thread gave the processor up because it waited for something.
    package var voluntarySwitches: Int64

    /// Times that the processor was taken away from a thread that could have run on: a busy machine.
    package var involuntarySwitches: Int64

    /// Page faults that needed no disk.
    package var minorFaults: Int64

    /// Page faults that had to wait for the disk.
    package var majorFaults: Int64

    /// Both CPU times together.
    package var cpuNanoseconds: Int64 { userNanoseconds + systemNanoseconds }

    package static func now() -> ProcessUsage {
        var usage = rusage()
        let code = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        // EFAULT and EINVAL only, which these arguments cannot cause.
        precondition(code == 0, "getrusage failed")
        return ProcessUsage(
            userNanoseconds: nanoseconds(usage.ru_utime),
            systemNanoseconds: nanoseconds(usage.ru_stime),
            voluntarySwitches: Int64(usage.ru_nvcsw),
            involuntarySwitches: Int64(usage.ru_nivcsw),
            minorFaults: Int64(usage.ru_minflt),
            majorFaults: Int64(usage.ru_majflt)
        )
    }

    private static func nanoseconds(_ time: timeval) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000
    }
}
