import Testing

@testable import Sending

@Suite("Batches and backlog")
struct FanOutTests {
    @Test("Results stand in the order of the pushes, whatever the order of the answers")
    func inputOrder() {
        var batches = Batches(size: 4, inFlight: 2)
        let slot = batches.start(due: 100, count: 4)!
        #expect(batches.ended(slot: slot, position: 2, result: 12, at: 110) == nil)
        #expect(batches.ended(slot: slot, position: 0, result: 10, at: 120) == nil)
        #expect(batches.ended(slot: slot, position: 3, result: -1, at: 130) == nil)
        let done = batches.ended(slot: slot, position: 1, result: 11, at: 160)
        #expect(done == Batches.Completed(slot: slot, duration: 60))
        #expect(Array(batches.results(of: slot)) == [10, 11, 12, -1])
    }

    @Test("No more batches are in flight than allowed; a short last batch ends with its own count")
    func inFlightLimit() {
        var batches = Batches(size: 500, inFlight: 2)
        let first = batches.start(due: 0, count: 500)
        let second = batches.start(due: 0, count: 1)
        #expect(first != nil && second != nil && first != second)
        #expect(!batches.hasRoom && batches.start(due: 0, count: 1) == nil)
        #expect(batches.ended(slot: second!, position: 0, result: 0, at: 9)?.duration == 9)
        #expect(batches.hasRoom && batches.inFlight == 1)
        #expect(batches.start(due: 5, count: 3) == second)
        #expect(batches.results(of: second!).allSatisfy { $0 == Batches.pending })
    }

    private func push(_ number: UInt64) -> WaitingPush {
        WaitingPush(
            push: number,
            ordinal: number,
            device: 0,
            hash: 0,
            due: 0,
            submitted: 0,
            phase: 0,
            position: 0,
            batchCount: 1
        )
    }

    @Test("A backlog is first in, first out across its end, and refuses what does not fit")
    func backlog() {
        var backlog = Backlog(capacity: 3, returned: 1)
        var expected: UInt64 = 0
        var next: UInt64 = 0
        for _ in 0..<10 {
            while backlog.append(push(next)) { next += 1 }
            #expect(backlog.count == 3)
            for _ in 0..<2 {
                #expect(backlog.first?.push == expected)
                backlog.removeFirst()
                expected += 1
            }
        }
        #expect(backlog.count == 1)
        backlog.removeFirst()
        #expect(backlog.isEmpty && backlog.first == nil)
    }

    @Test("What comes back stands before all others in the order in which it came back, also in a full backlog")
    func returned() {
        var backlog = Backlog(capacity: 2, returned: 2)
        let taken = [10, 11, 12].map { (number: UInt64) in backlog.append(push(number)) }
        #expect(taken == [true, true, false])
        for number: UInt64 in [3, 5] { backlog.putBack(push(number)) }
        let (room, count) = (backlog.room, backlog.count)
        #expect(room == 0 && count == 4)
        var order: [UInt64] = []
        while let first = backlog.first {
            order.append(first.push)
            backlog.removeFirst()
            if first.push == 3 { backlog.putBack(push(4)) }
        }
        #expect(order == [3, 5, 4, 10, 11])
        #expect(backlog.isEmpty && backlog.room == 2)
    }
}
