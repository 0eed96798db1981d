import Testing

@testable import Sending

@Suite("Connection state")
struct ConnectionStateTests {
    private let backoff = Backoff(first: 100, longest: 10_000)

    private func connection(at now: Int64 = 0) -> ConnectionState {
        ConnectionState(connectLimit: 1000, backoff: backoff, at: now)
    }

    @Test("Streams start only when SETTINGS are in")
    func opens() {
        var state = connection()
        #expect(!state.acceptsStreams && state.timer == 1000)
        state.becameReady()
        #expect(state.acceptsStreams && state.timer == nil)
    }

    @Test("A connect that takes too long is closed and tried again after the back-off")
    func connectTimesOut() {
        var state = connection()
        #expect(state.timerFired(at: 999, jitter: 0) == .none)
        #expect(state.timerFired(at: 1000, jitter: 0) == .close)
        #expect(state.phase == .waiting(until: 1001))
        #expect(state.timerFired(at: 1000, jitter: 0) == .none)
        #expect(state.timerFired(at: 1001, jitter: 0) == .connect)
        #expect(state.phase == .connecting(deadline: 2001))
    }

    @Test("GOAWAY with streams open drains, then reconnects at once; without any it reconnects at once")
    func goAway() {
        var state = connection()
        state.becameReady()
        #expect(state.goAwayReceived(openStreams: 2, at: 50) == .none)
        #expect(!state.acceptsStreams && state.phase == .draining)
        #expect(state.goAwayReceived(openStreams: 1, at: 55) == .none)
        #expect(state.streamEnded(openStreams: 1, at: 60) == .none)
        #expect(state.streamEnded(openStreams: 0, at: 70) == .close)
        #expect(state.timerFired(at: 70, jitter: 0) == .connect)
        state.becameReady()
        #expect(state.goAwayReceived(openStreams: 0, at: 80) == .close)
    }

    @Test("Waits grow with each failure in a row and start again after a success")
    func backsOff() {
        var state = connection()
        for expected: Int64 in [100, 200, 400, 800] {
            state.lost(at: 0, jitter: UInt64(expected - 1))
            #expect(state.phase == .waiting(until: expected))
            #expect(state.timerFired(at: expected, jitter: 0) == .connect)
        }
        state.becameReady()
        state.lost(at: 0, jitter: 99)
        #expect(state.phase == .waiting(until: 100))
    }

    @Test("The wait is never longer than the longest, whatever the count", arguments: [7, 30, 31, 63, 1000])
    func capped(failures: Int) {
        #expect(backoff.wait(failures, UInt64.max) <= 10_000)
        #expect(backoff.wait(failures, 9999) == 10_000)
    }

    @Test("A closed connection stays closed")
    func closed() {
        var state = connection()
        state.shutDown()
        state.lost(at: 5, jitter: 0)
        #expect(state.phase == .closed)
        #expect(state.timerFired(at: 100_000, jitter: 0) == .none)
        #expect(state.goAwayReceived(openStreams: 0, at: 5) == .none)
    }
}

@Suite("Pool rotation")
struct PoolRotationTests {
    @Test("Pushes of one turn share a connection up to a run, then the next has its turn")
    func runs() {
        var pool = PoolRotation(connections: 3)
        let chosen = (0..<PoolRotation.mostInARow * 3).map { _ in pool.next { _ in 1000 } }
        let size = PoolRotation.mostInARow
        #expect(chosen[0..<size].allSatisfy { $0 == 0 })
        #expect(chosen[size..<2 * size].allSatisfy { $0 == 1 })
        #expect(chosen[(2 * size)...].allSatisfy { $0 == 2 })
    }

    @Test("A new turn moves on; full connections are passed over; nil when none has room")
    func turns() {
        var pool = PoolRotation(connections: 3)
        #expect(pool.next { _ in 1 } == 0)
        pool.endTurn()
        #expect(pool.next { $0 == 1 ? 0 : 1 } == 2)
        #expect(pool.next { _ in 0 } == nil)
        #expect(pool.next { $0 == 1 ? 1 : 0 } == 1)
    }

    @Test("One connection serves for ever")
    func single() {
        var pool = PoolRotation(connections: 1)
        for _ in 0..<100 { #expect(pool.next { _ in 1 } == 0) }
    }
}
