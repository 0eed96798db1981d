import Foundation
import Testing

@testable import Transport

@Suite("Poller", .timeLimit(.minutes(5)))
struct PollerTests {
    /// A connected pair of sockets.
    private struct Pair: ~Copyable {
        let left: FileDescriptor
        let right: FileDescriptor

        init() throws {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            _ = try systemCall("socketpair") { socketpair(AF_UNIX, kind, 0, &ends) }
            left = FileDescriptor(owning: ends[0])
            right = FileDescriptor(owning: ends[1])
        }

        /// Makes `right` readable.
        func poke() {
            #expect(write(left.raw, "x", 1) == 1)
        }

        consuming func takeRight() -> FileDescriptor { right }
    }

    private func tags(_ poller: Poller) -> [UInt64] {
        var tags: [UInt64] = []
        while let event = poller.next() { tags.append(event.tag) }
        return tags
    }

    @Test("Readable and writable are told apart, with the tag given")
    func readiness() throws {
        let poller = try Poller()
        let pair = try Pair()
        try poller.add(pair.right.raw, tag: 7, interest: [.read, .write])
        try poller.waitForEvent()
        let writable = try #require(poller.next())
        #expect(writable.tag == 7)
        #expect(writable.descriptor == pair.right.raw)
        #expect(writable.isWritable)
        #expect(!writable.isReadable)
        #expect(poller.next() == nil)
        pair.poke()
        try poller.modify(pair.right.raw, interest: .read)
        try poller.waitForEvent()
        let readable = try #require(poller.next())
        #expect(readable.isReadable)
        #expect(!readable.isWritable)
        #expect(!readable.isWakeUp)
    }

    @Test("What is not read is reported again")
    func levelTriggered() throws {
        let poller = try Poller()
        let pair = try Pair()
        try poller.add(pair.right.raw, tag: 1, interest: .read)
        pair.poke()
        for _ in 0..<3 {
            try poller.waitForEvent()
            #expect(tags(poller) == [1])
        }
        try poller.modify(pair.right.raw, interest: [])
        #expect(try poller.wait(until: 0, at: 0) == 0)
    }

    @Test("A hang-up is readable and writable, so that whoever waits finds out")
    func hangUp() throws {
        let poller = try Poller()
        let right = try Pair().takeRight()
        try poller.add(right.raw, tag: 1, interest: [])
        try poller.waitForEvent()
        let event = try #require(poller.next())
        #expect(event.isReadable)
        #expect(event.isWritable)
    }

    @Test("A wait never ends before its deadline, and one not in the future does not wait")
    func deadlines() throws {
        let poller = try Poller()
        for nanoseconds: Int64 in [-1_000_000_000, 0, 1, 1_000, 200_000, 3_000_000] {
            let now = MonotonicClock.now()
            #expect(try poller.wait(until: now + nanoseconds, at: now) == 0)
            #expect(MonotonicClock.now() >= now + nanoseconds)
            #expect(poller.next() == nil)
        }
    }

    @Test("An event comes before a far deadline")
    func eventBeforeDeadline() throws {
        let poller = try Poller()
        let pair = try Pair()
        try poller.add(pair.right.raw, tag: 1, interest: .read)
        pair.poke()
        let now = MonotonicClock.now()
        #expect(try poller.wait(until: now + Conversation.limit, at: now) == 1)
        #expect(MonotonicClock.now() < now + Conversation.limit)
    }

    @Test("Wake-ups from another thread end a wait, and several before it count as one")
    func wakeUp() throws {
        let poller = try Poller()
        poller.waker.wakeUp()
        poller.waker.wakeUp()
        try poller.waitForEvent()
        #expect(tags(poller) == [Poller.wakeUpTag])
        // Nobody reads the eventfd, and still it is not reported again.
        #expect(try poller.wait(until: 0, at: 0) == 0)

        // A thread of its own: the test's thread waits, and the pool may have no other.
        let thread = Thread { [waker = poller.waker] in waker.wakeUp() }
        thread.start()
        try poller.waitForEvent()
        #expect(poller.next()?.isWakeUp == true)
    }

    @Test("An event of a descriptor removed in the same batch is not delivered")
    func removedInBatch() throws {
        let poller = try Poller()
        let one = try Pair()
        let two = try Pair()
        try poller.add(one.right.raw, tag: 1, interest: .read)
        try poller.add(two.right.raw, tag: 2, interest: .read)
        one.poke()
        two.poke()
        #expect(try poller.waitForEvent() == 2)
        let first = try #require(poller.next())
        try poller.remove(first.tag == 1 ? two.right.raw : one.right.raw)
        #expect(poller.next() == nil)
    }

    @Test("A stale event is not delivered to the next owner of the same number")
    func reusedNumber() throws {
        let poller = try Poller()
        let pair = try Pair()
        try poller.add(pair.right.raw, tag: 1, interest: .read)
        pair.poke()
        #expect(try poller.waitForEvent() == 1)
        // The same number for another socket, as after a close and an accept; the batch still holds the old event.
        try poller.remove(pair.right.raw)
        let other = try Pair()
        #expect(dup2(other.right.raw, pair.right.raw) == pair.right.raw)
        try poller.add(pair.right.raw, tag: 2, interest: .read)
        #expect(poller.next() == nil)
        other.poke()
        try poller.waitForEvent()
        #expect(tags(poller) == [2])
    }

    @Test("More events than one wait collects come with the next")
    func smallCapacity() throws {
        let poller = try Poller(capacity: 1)
        let one = try Pair()
        let two = try Pair()
        try poller.add(one.right.raw, tag: 1, interest: .read)
        try poller.add(two.right.raw, tag: 2, interest: .read)
        one.poke()
        two.poke()
        var seen: Set<UInt64> = []
        for _ in 0..<2 {
            #expect(try poller.waitForEvent() == 1)
            seen.formUnion(tags(poller))
        }
        // epoll takes turns among the ready.
        #expect(seen == [1, 2])
    }
}
