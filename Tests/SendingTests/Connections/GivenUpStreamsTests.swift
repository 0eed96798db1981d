import Testing

@testable import Sending

@Suite("Streams that were given up")
struct GivenUpStreamsTests {
    @Test("The PONG to a PING behind the resets frees their streams, one before it does not")
    func pongs() {
        var streams = GivenUpStreams()
        #expect(streams.held == 0 && !streams.needsPing && streams.deadline == .max)
        streams.pinged(at: 5, limit: 100)
        streams.add()
        streams.add()
        #expect(streams.held == 2 && streams.needsPing)
        streams.pinged(at: 10, limit: 100)
        #expect(!streams.needsPing && streams.deadline == 110)
        streams.add()
        #expect(streams.held == 3 && !streams.needsPing, "one PING at a time")
        #expect(streams.ponged() == false, "that of the PING before the resets")
        #expect(streams.held == 3)
        #expect(streams.ponged() && streams.held == 1 && streams.needsPing && streams.deadline == .max)
        streams.pinged(at: 20, limit: 100)
        #expect(streams.ponged() && streams.held == 0)
        #expect(streams.ponged() == false, "one that nothing waits for")
    }

    @Test("A peer that answers no PING does not hold streams up for ever")
    func timeOut() {
        var streams = GivenUpStreams()
        streams.add()
        streams.pinged(at: 10, limit: 100)
        #expect(streams.timerFired(at: 109) == false && streams.held == 1)
        #expect(streams.timerFired(at: 110) && streams.held == 0 && streams.deadline == .max)
        #expect(streams.timerFired(at: 500) == false)
    }
}
