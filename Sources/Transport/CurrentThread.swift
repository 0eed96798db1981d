import CLinux

/// Settings of the calling thread that only its own code may make.
package enum CurrentThread {
    /// Lets the kernel fire this thread's timers at most `nanoseconds` late on purpose.
    ///
    /// Linux adds 50 µs by default so that it can gather wake-ups; a worker that is paced in tens of microseconds
    /// asks for less. False when the kernel refuses, which costs precision and nothing else.
    @discardableResult
    package static func setTimerSlack(nanoseconds: UInt64) -> Bool { linux_set_timer_slack(nanoseconds) == 0 }

    /// Keeps this thread on one core, counted from 0.
    ///
    /// False when that core is not there or not allowed.
    @discardableResult
    package static func pin(toCore core: Int) -> Bool { linux_pin_thread(Int32(clamping: core)) == 0 }

    /// Names this thread as `top -H` shows it; cut after 15 bytes.
    package static func setName(_ name: String) { linux_name_thread(name) }
}
