import CLinux
import Glibc

/// Waits for many descriptors and one deadline at once, over epoll(7).
///
/// Level-triggered: what has not been read is reported again, so a caller that stops early loses nothing, and a
/// socket need not be read once more only to see that it is empty. Interest in writing is meant to be on only while
/// a write has blocked; a `modify` that changes nothing makes no system call, so call it freely.
///
/// Not thread-safe: it belongs to one thread. Others reach it through `waker`.
package final class Poller {
    /// What a descriptor is watched for, beside errors and hang-ups, which always are.
    package struct Interest: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let read = Interest(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
        package static let write = Interest(rawValue: EPOLLOUT.rawValue)
    }

    /// One descriptor that has become ready.
    package struct Event: Sendable, Equatable {
        /// The tag given to `add`, or `Poller.wakeUpTag`.
        package let tag: UInt64
        /// The descriptor.
        package let descriptor: Int32
        let flags: UInt32

        /// A read would return data, the end or an error.
        package var isReadable: Bool { flags & Self.reading != 0 }
        /// A write would take data or return an error.
        package var isWritable: Bool { flags & Self.writing != 0 }
        /// Somebody called `waker.wakeUp()`; no descriptor is ready.
        package var isWakeUp: Bool { tag == Poller.wakeUpTag }

        private static let ended = EPOLLERR.rawValue | EPOLLHUP.rawValue
        private static let reading = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | ended
        private static let writing = EPOLLOUT.rawValue | ended
    }

    /// A descriptor that is watched, found by its number.
    private struct Entry {
        /// 0 when the descriptor is not watched.
        var registration: UInt32 = 0
        var interest: Interest = []
        var tag: UInt64 = 0
    }

    /// The tag of wake-up events; not to be given to `add`.
    package static let wakeUpTag = UInt64.max

    /// Wakes this poller from other threads.
    package let waker: Waker

    private let epoll: FileDescriptor
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var entries: [Entry] = []
    private var lastRegistration: UInt32 = 0
    private var collected = 0
    private var taken = 0

    /// Makes a poller that collects at most `capacity` events per wait.
    package init(capacity: Int = 256) throws(TransportError) {
        precondition(capacity > 0, "a poller needs room for at least one event")
        let flags = Int32(EPOLL_CLOEXEC)
        let epoll = FileDescriptor(owning: try systemCall("epoll_create1") { epoll_create1(flags) })
        let waker = try Waker()
        // Edge-triggered: each write to an eventfd is an edge, so the counter never has to be read back.
        var event = epoll_event(
            events: EPOLLIN.rawValue | EPOLLET.rawValue,
            data: epoll_data(u64: Self.pack(registration: 0, descriptor: waker.raw))
        )
        _ = try systemCall("epoll_ctl") { epoll_ctl(epoll.raw, EPOLL_CTL_ADD, waker.raw, &event) }
        self.waker = waker
        self.epoll = epoll
        self.events = .allocate(capacity: capacity)
    }

    deinit { events.deallocate() }

    /// Begins to watch `descriptor`; its events carry `tag`.
    ///
    /// The descriptor must stay open until `remove`. Throws when the kernel's limit of watches is reached.
    package func add(_ descriptor: Int32, tag: UInt64, interest: Interest) throws(TransportError) {
        precondition(tag != Self.wakeUpTag, "the tag \(tag) is kept for wake-ups")
        let index = Int(descriptor)
        while entries.count <= index { entries.append(Entry()) }
        precondition(entries[index].registration == 0, "descriptor \(descriptor) is watched already")
        lastRegistration = lastRegistration == .max ? 1 : lastRegistration + 1
        let entry = Entry(registration: lastRegistration, interest: interest, tag: tag)
        try control(EPOLL_CTL_ADD, descriptor, entry)
        entries[index] = entry
    }

    /// Changes what a watched descriptor is watched for; costs nothing when that is so already.
    package func modify(_ descriptor: Int32, interest: Interest) throws(TransportError) {
        let index = Int(descriptor)
        precondition(isWatching(descriptor), "descriptor \(descriptor) is not watched")
        guard entries[index].interest != interest else { return }
        var entry = entries[index]
        entry.interest = interest
        try control(EPOLL_CTL_MOD, descriptor, entry)
        entries[index] = entry
    }

    /// Stops watching `descriptor`; events of it that have been collected already are not delivered.
    ///
    /// Call it before the descriptor is closed.
    package func remove(_ descriptor: Int32) throws(TransportError) {
        precondition(isWatching(descriptor), "descriptor \(descriptor) is not watched")
        entries[Int(descriptor)] = Entry()
        _ = try systemCall("epoll_ctl") { epoll_ctl(epoll.raw, EPOLL_CTL_DEL, descriptor, nil) }
    }

    /// True between `add` and `remove`.
    package func isWatching(_ descriptor: Int32) -> Bool {
        entries.indices.contains(Int(descriptor)) && entries[Int(descriptor)].registration != 0
    }

    /// Waits until something is ready, `deadline` has come, or a wake-up; then take the events with `next()`.
    ///
    /// - Parameters:
    ///   - deadline: Monotonic nanoseconds; nil waits without limit, one not after `now` does not wait.
    ///   - now: The monotonic time that the caller read last.
    /// - Returns: How many events were collected; 0 at the deadline and when a signal came.
    /// - Throws: `.system` for a failure of epoll itself.
    @discardableResult
    package func wait(until deadline: Int64?, at now: Int64) throws(TransportError) -> Int {
        let timeout = deadline.map { max(0, $0 - now) } ?? -1
        taken = 0
        collected = 0
        let count = linux_epoll_wait_ns(epoll.raw, events.baseAddress, Int32(clamping: events.count), timeout)
        if count >= 0 {
            collected = Int(count)
        } else if errno != EINTR {
            throw TransportError(call: "epoll_wait", code: errno)
        }
        return collected
    }

    /// The next event that `wait` collected; nil when there is none left.
    ///
    /// Events of descriptors removed since, and of earlier owners of the same number, are passed over.
    package func next() -> Event? {
        while taken < collected {
            let event = events[taken]
            taken += 1
            let descriptor = Int32(truncatingIfNeeded: event.data.u64)
            let registration = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
            if registration == 0 {
                return Event(tag: Self.wakeUpTag, descriptor: descriptor, flags: 0)
            }
            let entry = entries[Int(descriptor)]
            if entry.registration == registration {
                return Event(tag: entry.tag, descriptor: descriptor, flags: event.events)
            }
        }
        return nil
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ entry: Entry) throws(TransportError) {
        var event = epoll_event(
            events: entry.interest.rawValue,
            data: epoll_data(u64: Self.pack(registration: entry.registration, descriptor: descriptor))
        )
        _ = try systemCall("epoll_ctl") { epoll_ctl(epoll.raw, operation, descriptor, &event) }
    }

    /// The kernel hands these 64 bits back with each event: the number of the registration above the descriptor, so
    /// that an event collected for a descriptor's earlier owner can be told from one for the present owner.
    private static func pack(registration: UInt32, descriptor: Int32) -> UInt64 {
        UInt64(registration) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }
}
