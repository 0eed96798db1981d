import Hosts
import Testing

@testable import MockHosts

/// A heap whose answers are told apart by numbers; a class, because expectations can't look into a noncopyable value.
private final class NumberHeap {
    private var heap: AnswerHeap

    init(capacity: Int) { heap = AnswerHeap(capacity: capacity) }

    var nextDue: Int64? { heap.nextDue }
    var count: Int { heap.count }

    func push(_ number: UInt32, due: Int64) -> Bool {
        let handle = ConnectionHandle(place: number, generation: 0)
        return heap.push(PendingAnswer(connection: handle, stream: nil, answer: .canned), due: due)
    }

    func pop(at now: Int64) -> UInt32? { heap.pop(at: now)?.connection.place }

    func drain(at now: Int64 = .max) -> [UInt32] {
        var order: [UInt32] = []
        while let number = pop(at: now) { order.append(number) }
        return order
    }
}

@Suite struct AnswerHeapTests {

    @Test func theEarliestComesFirst() {
        let heap = NumberHeap(capacity: 1000)
        var numbers = SplitMix(seed: 1)
        let dues = (0..<1000).map { _ in Int64(numbers.next() % 500) }
        for (index, due) in dues.enumerated() { #expect(heap.push(UInt32(index), due: due)) }
        #expect(heap.nextDue == dues.min())
        let expected = dues.indices.sorted { (dues[$0], $0) < (dues[$1], $1) }.map(UInt32.init)
        #expect(heap.drain() == expected)
        #expect(heap.nextDue == nil)
    }

    @Test func nothingComesOutBeforeItsTime() {
        let heap = NumberHeap(capacity: 4)
        for due in [30, 10, 20] as [Int64] { #expect(heap.push(UInt32(due), due: due)) }
        #expect(heap.drain(at: 9) == [])
        #expect(heap.drain(at: 20) == [10, 20])
        #expect(heap.nextDue == 30)
        #expect(heap.count == 1)
    }

    @Test func aFullHeapTakesNoMoreUntilSomethingHasComeOut() {
        let heap = NumberHeap(capacity: 2)
        #expect(heap.push(1, due: 1))
        #expect(heap.push(2, due: 2))
        #expect(!heap.push(3, due: 3))
        #expect(heap.pop(at: 1) == 1)
        #expect(heap.push(4, due: 0))
        #expect(heap.drain() == [4, 2])
    }

    /// Pushes and pops in turn, against a sorted list.
    @Test func itAgreesWithASortedList() {
        let heap = NumberHeap(capacity: 256)
        var model: [(due: Int64, number: UInt32)] = []
        var numbers = SplitMix(seed: 9)
        for number in 0..<20_000 as Range<UInt32> {
            if numbers.next() % 2 == 0, model.count < 256 {
                let due = Int64(number) + Int64(numbers.next() % 100)
                #expect(heap.push(number, due: due))
                let place = model.firstIndex { $0.due > due } ?? model.count
                model.insert((due, number), at: place)
            } else if let first = model.first {
                #expect(heap.pop(at: first.due - 1) == nil)
                #expect(heap.pop(at: first.due) == first.number)
                model.removeFirst()
            }
        }
    }
}
