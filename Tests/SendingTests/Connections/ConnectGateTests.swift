import Testing

@testable import Sending

@Suite("Connect gate")
struct ConnectGateTests {
    private func gate() -> ConnectGate {
        var gate = ConnectGate(backoff: Backoff(first: 100, longest: 10_000))
        gate.beginLoad()
        return gate
    }

    @Test("Many at once before the load, then one after another")
    func atOnce() {
        var gate = ConnectGate(backoff: Backoff(first: 100, longest: 10_000))
        for _ in 0..<ConnectGate.mostAtOnceBeforeLoad { #expect(gate.enter(at: 0) == true) }
        #expect(!gate.enter(at: 0) && gate.opensAt == .max)
        gate.succeeded()
        #expect(gate.enter(at: 0) == true)
        gate.beginLoad()
        for _ in 1..<ConnectGate.mostAtOnceBeforeLoad {
            gate.succeeded()
            #expect(gate.enter(at: 0) == false)
        }
        gate.succeeded()
        #expect(gate.enter(at: 0) && !gate.enter(at: 0))
    }

    @Test("Waits grow with each failure in a row, whatever the seat, until a push was answered")
    func backsOff() {
        var gate = gate()
        var now: Int64 = 0
        for wait: Int64 in [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000] {
            #expect(gate.enter(at: now) == true)
            gate.failed(at: now, jitter: UInt64(wait - 1))
            #expect(gate.opensAt == now + wait && !gate.enter(at: now + wait - 1))
            now += wait
        }
        #expect(gate.enter(at: now) == true)
        gate.succeeded()
        #expect(gate.failures == 9, "to accept a connection is not to be well")
        gate.proved()
        #expect(gate.enter(at: now) == true)
        gate.failed(at: now, jitter: 99)
        #expect(gate.opensAt == now + 100)
    }

    @Test("A host's rotation costs no wait, a loss a short one, and a connection that was of no use ever longer ones")
    func endings() {
        var gate = gate()
        gate.ended(.rotated, at: 5, jitter: 99)
        #expect(gate.opensAt <= 5)
        gate.ended(.lost, at: 5, jitter: 99)
        #expect(gate.opensAt == 105)
        gate.ended(.lost, at: 5, jitter: 49)
        #expect(gate.opensAt == 105, "never earlier than was said")
        for (now, wait): (Int64, Int64) in [(1000, 100), (2000, 200), (3000, 400)] {
            gate.ended(.useless, at: now, jitter: UInt64(wait - 1))
            #expect(gate.opensAt == now + wait)
        }
    }

    @Test("A whole pool that is lost at one time is one failure")
    func together() {
        var gate = gate()
        for _ in 0..<50 { gate.ended(.useless, at: 10, jitter: 99) }
        #expect(gate.failures == 1 && gate.opensAt == 110)
    }
}

@Suite("Back-off")
struct BackoffTests {
    @Test("The wait is never longer than the longest, whatever the count", arguments: [7, 30, 31, 63, 1000])
    func capped(failures: Int) {
        let backoff = Backoff(first: 100, longest: 10_000)
        #expect(backoff.wait(failures, UInt64.max) <= 10_000)
        #expect(backoff.wait(failures, 9999) == 10_000)
    }

    @Test("The wait is spread over all of its range, and never nothing")
    func jitter() {
        let backoff = Backoff(first: 100, longest: 10_000)
        #expect(backoff.wait(0, 0) == 1 && backoff.wait(0, 99) == 100 && backoff.wait(0, 100) == 1)
        #expect(backoff.wait(3, 799) == 800)
    }
}
