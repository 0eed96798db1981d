import Testing

@testable import Sending

@Suite("Streams that were given up")
struct GivenUpStreamsTests {
    private static let pause = GivenUpStreams.pause

    @Test("The PONG to a PING behind the resets frees their streams, one before it does not")
    func pongs() {
        var streams = GivenUpStreams()
        #expect(streams.held == 0 && streams.deadline == .max)
        streams.pinged(at: 5, limit: 100)
        #expect(streams.deadline == .max, "a PING that asks whether the peer is there")
        streams.add()
        streams.add()
        #expect(streams.held == 2 && streams.deadline <= 10 && streams.timerFired(at: 10) == true)
        streams.pinged(at: 10, limit: 100)
        #expect(streams.deadline == 110 && streams.held == 2)
        streams.add()
        #expect(streams.held == 3 && streams.timerFired(at: 109) == false, "one PING at a time")
        #expect(streams.ponged() == false, "that of the PING before the resets")
        #expect(streams.held == 3)
        #expect(streams.ponged() == true && streams.held == 1)
        #expect(streams.deadline == 10 + Self.pause, "one PING a second")
        #expect(streams.timerFired(at: 9 + Self.pause) == false)
        #expect(streams.timerFired(at: 10 + Self.pause) == true)
        streams.pinged(at: 10 + Self.pause, limit: 100)
        #expect(streams.ponged() == true && streams.held == 0 && streams.deadline == .max)
        #expect(streams.ponged() == false, "one that nothing waits for")
    }

    @Test("A peer that answers no PING does not hold streams up for ever")
    func timeOut() {
        var streams = GivenUpStreams()
        streams.add()
        #expect(streams.timerFired(at: 10) == true)
        streams.pinged(at: 10, limit: 100)
        streams.add()
        #expect(streams.timerFired(at: 109) == false && streams.held == 2)
        #expect(streams.timerFired(at: 110) == false && streams.held == 1, "the next PING is not due yet")
        #expect(streams.timerFired(at: 10 + Self.pause) == true)
        streams.pinged(at: 10 + Self.pause, limit: 100)
        #expect(streams.timerFired(at: 110 + Self.pause) == false && streams.held == 0 && streams.deadline == .max)
    }
}
