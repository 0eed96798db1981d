import Foundation
import Resources
import Synchronization
import Testing

/// Each case runs in a process of its own, because tests beside it would be counted too.
@Suite(.enabled(if: Allocator.isJemalloc, "another allocator, such as a sanitizer's, stands before jemalloc"))
struct AllocationCounterTests {
    @Test func allocatorIsJemallocWithItsVersion() {
        #expect(Allocator.name.hasPrefix("jemalloc 5."))
    }

    @Test func readingCountsNothingItself() async {
        await #expect(processExitsWith: .success) {
            let counter = try AllocationCounter()
            let before = counter.read()
            for _ in 0..<10 { _ = counter.read() }
            try expect(counter.read() - before, is: 0)
        }
    }

    @Test func everyMallocIsCountedWhateverItsSize() async {
        await #expect(processExitsWith: .success) {
            let counter = try AllocationCounter()
            let pointers = Pointers(capacity: 1_000)
            // Small classes with and without a cache, large ones with and without, and huge ones.
            for size in [1, 16, 100, 1_000, 8_192, 14_336, 16_384, 32_768, 40_000, 1_000_000] {
                for count in [1, 7, 250, 1_000] {
                    let before = counter.read()
                    pointers.allocate(count, size: size)
                    try expect(counter.read() - before, is: count)
                    pointers.freeAll()
                    try expect(counter.read() - before, is: count)
                }
            }
        }
    }

    @Test func swiftObjectsAreCounted() async {
        await #expect(processExitsWith: .success) {
            final class Object { var number = 0 }
            let counter = try AllocationCounter()
            var objects: [Object] = []
            objects.reserveCapacity(500)
            let before = counter.read()
            for _ in 0..<500 { objects.append(Object()) }
            try expect(counter.read() - before, is: 500)
            try expect(UInt64(objects.count), is: 500)
        }
    }

    @Test func anotherThreadIsCountedExactlyOnceItHasFlushed() async {
        await #expect(processExitsWith: .success) {
            let counter = try AllocationCounter()
            let worker = Worker(counter: counter)
            worker.waitUntil(.ready)
            let before = counter.read()
            worker.stage.store(Worker.Stage.go.rawValue, ordering: .releasing)
            worker.waitUntil(.flushed)
            try expect(counter.read() - before, is: Worker.allocations)
        }
    }

    @Test func bytesOfTheThreadAreThoseOfTheSizeClasses() {
        let pointers = Pointers(capacity: 10)
        let before = ThreadAllocation.now()
        pointers.allocate(10, size: 100)
        let between = ThreadAllocation.now()
        pointers.freeAll()
        let after = ThreadAllocation.now()
        #expect(between.allocatedBytes - before.allocatedBytes == 10 * 112)
        #expect(between.freedBytes == before.freedBytes)
        #expect(after.allocatedBytes == between.allocatedBytes)
        #expect(after.freedBytes - between.freedBytes == 10 * 112)
    }
}

private struct Miscounted: Error {
    let found: UInt64
    let expected: Int
}

/// Fails a process of its own, whose only way to tell is how it ends.
private func expect(_ found: UInt64, is expected: Int) throws {
    guard found == UInt64(expected) else { throw Miscounted(found: found, expected: expected) }
}

/// Memory from `malloc` that the optimiser cannot prove unused, because the pointers are kept.
private final class Pointers {
    private let pointers: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>
    private var used = 0

    init(capacity: Int) {
        pointers = .allocate(capacity: capacity)
    }

    deinit {
        freeAll()
        pointers.deallocate()
    }

    func allocate(_ count: Int, size: Int) {
        for _ in 0..<count {
            pointers.initializeElement(at: used, to: malloc(size))
            used += 1
        }
    }

    func freeAll() {
        for position in 0..<used { free(pointers[position]) }
        used = 0
    }
}

/// A thread that allocates when told to and flushes; it and the test wait for each other without allocating.
private final class Worker: Sendable {
    enum Stage: Int {
        case starting, ready, go, flushed
    }

    static let allocations = 777

    let stage = Atomic(Stage.starting.rawValue)
    private let counter: AllocationCounter

    init(counter: AllocationCounter) {
        self.counter = counter
        Thread.detachNewThread { [self] in run() }
    }

    private func run() {
        let pointers = Pointers(capacity: Self.allocations)
        counter.flushThread()
        stage.store(Stage.ready.rawValue, ordering: .releasing)
        waitUntil(.go)
        pointers.allocate(Self.allocations, size: 64)
        counter.flushThread()
        stage.store(Stage.flushed.rawValue, ordering: .releasing)
        // Stays until the process ends: a thread's end frees, and its Swift objects' release could be counted.
        while true { sched_yield() }
    }

    func waitUntil(_ wanted: Stage) {
        while stage.load(ordering: .acquiring) != wanted.rawValue { sched_yield() }
    }
}
