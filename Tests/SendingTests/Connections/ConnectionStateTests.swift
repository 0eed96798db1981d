import Testing

@testable import Sending

@Suite("Connection state")
struct ConnectionStateTests {
    private static let limits = ConnectionState.Limits(connect: 1000, handshake: 500, keepAlive: 10_000, pong: 200)

    /// A connection that became ready at a time.
    private func open(at now: Int64 = 100) -> ConnectionState {
        var state = ConnectionState(limits: Self.limits)
        state.want()
        state.connect(at: now - 2)
        state.tcpOpened(at: now - 1)
        #expect(state.settingsReceived(at: now) == true)
        return state
    }

    @Test("A connection comes up in steps, each with a limit of its own; streams start when SETTINGS are in")
    func comesUp() {
        var state = ConnectionState(limits: Self.limits)
        #expect(state.phase == .vacant && state.timer == .max && !state.isConnected)
        state.want()
        #expect(state.phase == .waiting && state.timer == .max && !state.isConnected)
        state.connect(at: 10)
        #expect(state.phase == .connecting(deadline: 1010) && state.timer == 1010 && state.isConnected)
        state.tcpOpened(at: 40)
        state.tcpOpened(at: 90)
        #expect(state.phase == .handshaking(deadline: 540) && !state.acceptsStreams)
        #expect(state.settingsReceived(at: 100) && state.acceptsStreams && state.openedAt == 100)
        #expect(state.settingsReceived(at: 110) == false, "later SETTINGS change limits only")
        state.ended()
        #expect(state.phase == .vacant)
    }

    @Test("The connect and the handshake have time-outs of their own")
    func timeOuts() {
        var state = ConnectionState(limits: Self.limits)
        state.want()
        state.connect(at: 0)
        #expect(state.timerFired(at: 999) == .none)
        #expect(state.timerFired(at: 1000) == .close(.connectTimedOut))
        state.tcpOpened(at: 900)
        #expect(state.timerFired(at: 1399) == .none)
        #expect(state.timerFired(at: 1400) == .close(.handshakeTimedOut))
    }

    @Test("GOAWAY with streams open drains until the last has ended; without any the connection closes at once")
    func goAway() {
        var state = open()
        #expect(state.goAwayReceived(openStreams: 2) == .none)
        #expect(!state.acceptsStreams && state.phase == .draining && state.isConnected)
        #expect(state.goAwayReceived(openStreams: 1) == .none, "a second one, with a lower last stream")
        #expect(state.streamEnded(openStreams: 1) == .none)
        #expect(state.streamEnded(openStreams: 0) == .close(.drained))
        var idle = open()
        #expect(idle.streamEnded(openStreams: 0) == .none)
        #expect(idle.goAwayReceived(openStreams: 0) == .close(.drained))
    }

    @Test("GOAWAY in place of SETTINGS is a connection that never came up")
    func goAwayAtOnce() {
        var state = ConnectionState(limits: Self.limits)
        state.want()
        state.connect(at: 0)
        state.tcpOpened(at: 1)
        #expect(state.goAwayReceived(openStreams: 0) == .close(.drained))
        #expect(state.phase == .handshaking(deadline: 501))
    }

    @Test("A silent peer is asked by one PING, and closed if nothing comes in time; anything it says will do")
    func keepAlive() {
        var state = open(at: 0)
        state.heard(at: 50)
        #expect(state.timer == 10_050)
        #expect(state.timerFired(at: 10_049) == .none)
        #expect(state.timerFired(at: 10_050) == .ping && state.timer == 10_250)
        #expect(state.timerFired(at: 10_249) == .none)
        state.heard(at: 10_249)
        #expect(state.timerFired(at: 10_250) == .none && state.timer == 20_249)
        #expect(state.timerFired(at: 20_249) == .ping)
        #expect(state.timerFired(at: 20_449) == .close(.silent))
    }

    @Test("A connection without streams is closed after its idle time, if it has one")
    func idle() {
        var state = ConnectionState(
            limits: ConnectionState.Limits(connect: 1000, handshake: 500, keepAlive: 10_000, pong: 200, idle: 300)
        )
        state.want()
        state.connect(at: 0)
        state.tcpOpened(at: 1)
        _ = state.settingsReceived(at: 2)
        #expect(state.timer == 10_000, "the load has not begun")
        state.becameIdle(at: 100)
        #expect(state.timer == 400 && state.timerFired(at: 399) == .none)
        state.streamBegan()
        #expect(state.timer == 10_000 && state.timerFired(at: 400) == .none)
        state.becameIdle(at: 500)
        #expect(state.timerFired(at: 800) == .close(.idle))
        state.ended()
        state.want()
        state.connect(at: 900)
        #expect(state.timer == 1900, "of the connection before nothing is left")
        var kept = open()
        kept.becameIdle(at: 100)
        #expect(kept.timer == 10_098)
    }

    @Test("A push that times out is reason to ask a peer that has said nothing since it was sent")
    func timeOutAsks() {
        var state = open(at: 0)
        state.heard(at: 500)
        #expect(state.pushTimedOut(startedAt: 400, at: 1000) == .none, "it has said something since")
        #expect(state.pushTimedOut(startedAt: 600, at: 1000) == .ping)
        #expect(state.pushTimedOut(startedAt: 600, at: 1000) == .none, "it is being asked")
        #expect(state.timerFired(at: 1200) == .close(.silent))
    }

    @Test("A peer that talks but answers nothing any more is wedged")
    func wedged() {
        var state = open(at: 0)
        #expect(state.answered(at: 100) && !state.answered(at: 110) && state.hasAnswered)
        let most = ConnectionState.mostTimeOutsInARow
        for _ in 1..<most {
            state.heard(at: 900)
            #expect(state.pushTimedOut(startedAt: 200, at: 1000) == .none)
        }
        #expect(state.pushTimedOut(startedAt: 200, at: 1000) == .close(.wedged))
    }

    @Test("A peer that answers some and forgets others is not")
    func forgetful() {
        var state = open(at: 0)
        for _ in 0..<100 {
            state.heard(at: 300)
            _ = state.answered(at: 300)
            for _ in 0..<20 {
                // Others that were sent at the same time, or later, have been answered since.
                #expect(state.pushTimedOut(startedAt: 200, at: 1000) == .none)
            }
        }
    }

    @Test("A new connection at the same place starts from nothing")
    func again() {
        var state = open(at: 0)
        _ = state.answered(at: 5)
        for _ in 1..<ConnectionState.mostTimeOutsInARow { _ = state.pushTimedOut(startedAt: 10, at: 20) }
        state.ended()
        state.want()
        state.connect(at: 100)
        state.tcpOpened(at: 110)
        #expect(state.settingsReceived(at: 120) && !state.hasAnswered && state.timer == 10_100)
        #expect(state.pushTimedOut(startedAt: 90, at: 130) == .none)
    }

    @Test("A closed connection stays closed")
    func closed() {
        var state = open()
        state.shutDown()
        state.ended()
        #expect(state.phase == .closed && state.timer == .max)
        #expect(state.timerFired(at: 100_000) == .none)
        #expect(state.goAwayReceived(openStreams: 0) == .none)
        #expect(state.pushTimedOut(startedAt: 0, at: 5) == .none)
        #expect(state.streamEnded(openStreams: 0) == .none)
    }
}
