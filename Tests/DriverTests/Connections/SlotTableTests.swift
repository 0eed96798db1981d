import Testing

@testable import Driver

@Suite("Slot table")
struct SlotTableTests {
    @Test("Every slot is given once, and again after it came back")
    func takes() {
        var table = SlotTable(count: 3, requestBodyLimit: 0)
        var given: Set<UInt32> = []
        while let slot = table.take() { #expect(given.insert(slot).inserted) }
        #expect(given == [0, 1, 2] && table.taken == 3)
        table.release(1)
        #expect(table.taken == 2 && table.take() == 1 && table.take() == nil)
    }

    @Test("A push in flight takes one cache line; its marks don't disturb each other")
    func record() {
        #expect(MemoryLayout<PushSlot>.stride == 64)
        var push = PushSlot()
        push.isTaken = true
        push.isWritten = true
        push.timedOut = true
        push.isWritten = false
        #expect(push.isTaken && !push.isWritten && push.timedOut && !push.hasTrouble)
        push.timedOut = false
        #expect(push.isTaken && !push.timedOut)
    }

    @Test("What went wrong with a push is gone with its slot")
    func trouble() {
        var table = SlotTable(count: 2, requestBodyLimit: 0)
        let (slot, other) = (table.take()!, table.take()!)
        #expect(table.retryAfter(slot) == nil && table.resetCode(slot) == 0 && table.body(slot).isEmpty)
        table.trouble(slot).pointee.retryAfter = 0
        table.trouble(slot).pointee.resetCode = 7
        #expect(table.retryAfter(slot) == 0 && table.resetCode(slot) == 7 && table.retryAfter(other) == nil)
        table.release(slot)
        #expect(table.take() == slot)
        #expect(table.retryAfter(slot) == nil && table.resetCode(slot) == 0)
        table.trouble(slot).pointee.resetCode = 2
        #expect(table.retryAfter(slot) == nil)
    }

    @Test("Regions of a slot and of its neighbours don't overlap")
    func regions() {
        var table = SlotTable(count: 2, requestBodyLimit: 300)
        let first = table.take()!
        let second = table.take()!
        for (value, slot) in [(UInt8(1), first), (UInt8(5), second)] {
            table.path(slot).initializeMemory(as: UInt8.self, repeating: value)
            table.id(slot).initializeMemory(as: UInt8.self, repeating: value + 1)
            table.requestBody(slot).initializeMemory(as: UInt8.self, repeating: value + 2)
            [UInt8](repeating: value + 3, count: 600).withUnsafeBytes { table.appendBody(slot, $0) }
        }
        for (value, slot) in [(UInt8(1), first), (UInt8(5), second)] {
            #expect(table.path(slot).allSatisfy { $0 == value })
            #expect(table.id(slot).allSatisfy { $0 == value + 1 })
            #expect(table.requestBody(slot).count == 300)
            #expect(table.requestBody(slot).allSatisfy { $0 == value + 2 })
            #expect(table.body(slot).count == 600 && table.body(slot).allSatisfy { $0 == value + 3 })
        }
    }

    @Test("A body is kept up to its limit, in order")
    func bodyLimit() {
        var table = SlotTable(count: 1, requestBodyLimit: 0)
        let slot = table.take()!
        for piece in 0..<5 as Range<UInt8> {
            [UInt8](repeating: piece, count: 300).withUnsafeBytes { table.appendBody(slot, $0) }
        }
        let body = Array(table.body(slot))
        #expect(body.count == SlotTable.bodyLimit)
        let pieces: [UInt8] = (0..<5 as Range<UInt8>).flatMap { [UInt8](repeating: $0, count: 300) }
        #expect(body == Array(pieces.prefix(body.count)))
        table.release(slot)
        #expect(table.take() == slot && table.body(slot).isEmpty)
    }
}
