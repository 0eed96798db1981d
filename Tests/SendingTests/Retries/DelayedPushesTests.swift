import Testing

@testable import Sending

@Suite("Pushes that wait for a time of their own")
struct DelayedPushesTests {
    private func push(_ number: UInt64) -> WaitingPush {
        WaitingPush(push: number, device: 0, hash: 0, due: 0, submitted: 0, phase: 0, position: 0, batchCount: 1)
    }

    @Test("Come out by time, then by number, and not before their time")
    func order() {
        var delayed = DelayedPushes(capacity: 500)
        let isEmpty = delayed.isEmpty
        #expect(isEmpty)
        // 7 and 500 have no common factor, so every number comes once, in a scrambled order.
        for step in 0..<500 as Range<UInt64> {
            let number = step * 7 % 500
            let isTaken = delayed.insert(push(number), at: Int64(number / 10))
            #expect(isTaken)
        }
        let early = delayed.takeDue(at: -1)
        #expect(early == nil)
        var taken: [UInt64] = []
        while let next = delayed.takeDue(at: 19) { taken.append(next.push) }
        #expect(taken == Array(0..<200))
        let (next, count) = (delayed.nextTime, delayed.count)
        #expect(next == 20 && count == 300)
        while let next = delayed.takeDue(at: .max) { taken.append(next.push) }
        #expect(taken == Array(0..<500))
        let last = delayed.nextTime
        #expect(last == .max)
    }

    @Test("Takes no more than its capacity, and has room again afterwards")
    func capacity() {
        var delayed = DelayedPushes(capacity: 2)
        let taken = [5, 4, 3].enumerated().map { delayed.insert(push(UInt64($0)), at: $1) }
        #expect(taken == [true, true, false])
        let first = delayed.takeDue(at: 4)?.push
        #expect(first == 1)
        let isTaken = delayed.insert(push(2), at: 3)
        let next = delayed.nextTime
        #expect(isTaken && next == 3)
        var none = DelayedPushes(capacity: 0)
        let hasRoom = none.insert(push(0), at: 0)
        #expect(!hasRoom)
    }
}
