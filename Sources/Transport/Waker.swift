import CLinux
import Glibc

/// Wakes a `Poller` from any thread, or from a signal handler.
///
/// Any number of wake-ups before the poller looks count as one.
package final class Waker: Sendable {
    private let descriptor: FileDescriptor

    init() throws(TransportError) {
        let flags = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
        descriptor = FileDescriptor(owning: try systemCall("eventfd") { eventfd(0, flags) })
    }

    /// The eventfd, for the poller and for signal handlers.
    var raw: Int32 { descriptor.raw }

    /// Makes the poller's current or next `wait` return at once with a wake-up event.
    package func wakeUp() {
        var one: UInt64 = 1
        // EAGAIN means that the counter is full, so a wake-up is already due; EINTR cannot happen to a call that
        // does not block.
        _ = write(descriptor.raw, &one, MemoryLayout<UInt64>.size)
    }
}
