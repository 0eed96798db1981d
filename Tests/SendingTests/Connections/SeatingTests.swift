import Testing

@testable import Sending

@Suite("Seating")
struct SeatingTests {
    @Test("A draining connection's seat is taken by another at once, and the place is used again afterwards")
    func rotates() {
        var seating = Seating(seats: 2)
        #expect((0..<seating.seats).map(seating.current) == [0, 1])
        #expect(seating.drains(1) == 2, "a new place")
        #expect(seating.current(1) == 2 && seating.current(0) == 0 && seating.seat(of: 2) == 1)
        #expect(seating.ended(1) == nil, "its seat is taken")
        #expect(seating.drains(2) == 1, "the old place")
        #expect(seating.ended(2) == nil && seating.current(1) == 1)
    }

    @Test("A connection that is lost is opened again at its place")
    func lost() {
        var seating = Seating(seats: 3)
        #expect(seating.ended(2) == 2 && seating.current(2) == 2)
        #expect(seating.drains(2) == 3)
        #expect(seating.ended(3) == 3, "the successor is lost while its predecessor drains")
        #expect(seating.ended(2) == nil)
    }

    @Test("A seat has one connection that drains; the next waits for it")
    func heldUp() {
        var seating = Seating(seats: 1)
        #expect(seating.drains(0) == 1)
        #expect(seating.drains(0) == nil, "it drains already")
        #expect(seating.drains(1) == nil && seating.current(0) == 1)
        #expect(seating.ended(0) == 0 && seating.current(0) == 0, "now it is handed over")
        #expect(seating.ended(1) == nil)
        #expect(seating.drains(0) == 1)
    }

    @Test("Where the one that waits ends first, it is opened again itself")
    func endsFirst() {
        var seating = Seating(seats: 1)
        #expect(seating.drains(0) == 1 && seating.drains(1) == nil)
        #expect(seating.ended(1) == 1 && seating.current(0) == 1)
        #expect(seating.ended(0) == nil)
        #expect(seating.drains(1) == 0)
    }

    @Test("Places are numbered without gaps as seats come to need them")
    func numbers() {
        var seating = Seating(seats: 3)
        #expect(seating.drains(2) == 3 && seating.drains(0) == 4 && seating.drains(1) == 5)
        #expect([3, 4, 5].map(seating.seat) == [2, 0, 1])
    }
}

@Suite("Address rotation")
struct AddressRotationTests {
    @Test("Each address in turn")
    func turns() {
        var addresses = AddressRotation(addresses: 3)
        #expect((0..<7).map { _ in addresses.take() } == [0, 1, 2, 0, 1, 2, 0])
    }

    @Test("One that failed is left out until it is known to be well or none other is left")
    func leavesOut() {
        var addresses = AddressRotation(addresses: 3)
        addresses.failed(1)
        #expect((0..<4).map { _ in addresses.take() } == [0, 2, 0, 2])
        addresses.failed(0)
        #expect((0..<2).map { _ in addresses.take() } == [2, 2])
        addresses.succeeded(0)
        #expect((0..<2).map { _ in addresses.take() } == [0, 2])
        addresses.failed(0)
        addresses.failed(2)
        #expect(Set((0..<3).map { _ in addresses.take() }) == [0, 1, 2])
    }

    @Test("A single address is tried for ever")
    func single() {
        var addresses = AddressRotation(addresses: 1)
        for _ in 0..<3 {
            #expect(addresses.take() == 0)
            addresses.failed(0)
        }
    }
}

@Suite("Pool rotation")
struct PoolRotationTests {
    @Test("Pushes of one turn share a connection up to a run, then the next has its turn")
    func runs() {
        var pool = PoolRotation(seats: 3)
        let chosen = (0..<PoolRotation.mostInARow * 3).map { _ in pool.next { _ in 1000 } }
        let size = PoolRotation.mostInARow
        #expect(chosen[0..<size].allSatisfy { $0 == 0 })
        #expect(chosen[size..<2 * size].allSatisfy { $0 == 1 })
        #expect(chosen[(2 * size)...].allSatisfy { $0 == 2 })
    }

    @Test("A new turn moves on; full connections are passed over; nil when none has room")
    func turns() {
        var pool = PoolRotation(seats: 3)
        #expect(pool.next { _ in 1 } == 0)
        pool.endTurn()
        #expect(pool.next { $0 == 1 ? 0 : 1 } == 2)
        #expect(pool.next { _ in 0 } == nil)
        #expect(pool.next { _ in -3 } == nil, "more streams are open than the peer now allows")
        #expect(pool.next { $0 == 1 ? 1 : 0 } == 1)
    }

    @Test("One connection serves for ever")
    func single() {
        var pool = PoolRotation(seats: 1)
        for _ in 0..<100 { #expect(pool.next { _ in 1 } == 0) }
    }

    @Test("What was refused at one seat goes to another, and back only where no other has room")
    func avoids() {
        var pool = PoolRotation(seats: 3)
        for _ in 0..<10 { #expect(pool.next(avoiding: 0) { _ in 1 } != 0) }
        #expect(pool.next(avoiding: 1) { $0 == 1 ? 1 : 0 } == 1)
        #expect(pool.next(avoiding: 1) { _ in 0 } == nil)
    }
}
