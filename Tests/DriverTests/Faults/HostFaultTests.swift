import HTTP2
import Histogram
import LoadPlan
import Sending
import Testing
import Transport

@testable import Driver

/// A fault of the host, and what becomes of a run that meets it.
struct HostFault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script = Script()
    var change: @Sendable (inout Profile) -> Void = { _ in }
    /// Pushes that may have been written to a connection that broke before the host read them.
    var mayBeLost: UInt64 = 0
    /// What else holds.
    var check: @Sendable (Trial) -> Void

    init(
        _ name: String,
        mayBeLost: UInt64 = 0,
        script: (inout Script) -> Void,
        change: @escaping @Sendable (inout Profile) -> Void = { _ in },
        check: @escaping @Sendable (Trial) -> Void
    ) {
        testDescription = name
        script(&self.script)
        self.change = change
        self.mayBeLost = mayBeLost
        self.check = check
    }
}

extension WholeRuns {
    @Suite("Faults of hosts")
    struct HostFaultTests {
        @Test(arguments: goAways + resets + limits + losses, HTTP2Implementation.allCases)
        func fault(_ fault: HostFault, http2: HTTP2Implementation) throws {
            let trial = try Trial(fault.script) { profile in
                for name in LaneName.all { profile.lanes[name]?.http2 = http2 }
                fault.change(&profile)
            }
            trial.checkAccounts(mayBeLost: fault.mayBeLost)
            #expect(trial.counts.planned == 200)
            fault.check(trial)
        }

        @Test(
            "A peer that stops to read: what was not written to it goes elsewhere",
            arguments: HTTP2Implementation.allCases
        )
        func stopsReading(http2: HTTP2Implementation) throws {
            var script = Script()
            script.streamLimit = 1500
            script.react = { request in
                guard request.number == 20, request.connection == 0 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.mute])
            }
            let trial = try Trial(script) { profile in
                // Six megabytes: more than the kernel keeps for a peer that reads nothing.
                profile.messages[0].payloadBytes = 4096
                profile.load.phases[0].shape = .constant(.total(.perSecond(4000)))
                profile.lanes[LaneName.apnsProduction]?.connections = 1
                profile.lanes[LaneName.apnsProduction]?.http2 = http2
                Self.giveUpSoon(&profile)
            }
            trial.checkAccounts(mayBeLost: 1500)
            let left = trial.failed(.timedOut) + trial.failed(.connectionLost)
            #expect(trial.counts.delivered + left == 2000, "\(trial.lane.phases[0].outcomes)")
            #expect(trial.connections(closedBy: "no answers any more").count == 1)
            let handedOver = trial.run.connections.reduce(0) { $0 + $1.streams }
            #expect(handedOver > trial.counts.attempts && trial.counts.retries == 0)
        }
    }
}

// MARK: - GOAWAY

extension WholeRuns.HostFaultTests {
    /// Where the host keeps answers to itself, and the load is to go on without them.
    @Sendable private static func giveUpSoon(_ profile: inout Profile) {
        for name in LaneName.all { profile.lanes[name]?.timeouts.push = 300 * Nanoseconds.millisecond }
    }

    /// What holds when the host let go of connections in good order: nothing is lost.
    @Sendable private static func allDelivered(_ trial: Trial) {
        #expect(trial.counts.delivered == 200, "\(trial.lane.phases[0].outcomes)")
    }

    @Sendable private static func wasRotated(_ trial: Trial) {
        let rotated = trial.connections(closedBy: "peer's GOAWAY")
        #expect(rotated.count >= 2 && trial.run.connections.count >= rotated.count + 2)
        for row in rotated {
            #expect(row.goAwayCode == 0 && row.goAwayReason == #"{"reason":"Shutdown"}"# && row.streams > 0)
            #expect(row.goAwayLastStream.map { $0 > 0 } == true)
        }
        #expect(trial.connections(closedBy: "run end").count == 2, "the pool is whole again")
    }

    static let goAways = [
        HostFault("GOAWAY that lets all streams finish") { script in
            script.react = { request in
                guard request.number == 40 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.goAway(reason: #"{"reason":"Shutdown"}"#)])
            }
        } check: { trial in
            allDelivered(trial)
            wasRotated(trial)
        },
        HostFault("GOAWAY with a last stream below some in flight") { script in
            script.serviceTime = 50 * Nanoseconds.millisecond
            script.react = { request in
                // Not at one time, lest a push be refused by both.
                guard request.connection < 2, request.number == 20 + 40 * request.connection else { return .init() }
                return Script.Reaction(
                    deeds: [.goAway(last: request.stream - 8, reason: #"{"reason":"Shutdown"}"#)]
                )
            }
        } check: { trial in
            allDelivered(trial)
            wasRotated(trial)
            #expect(trial.counts.retries >= 4, "four streams on each of two connections at the least")
            #expect(trial.host.repeated >= 4)
            #expect(trial.lane.phases[0].clocks.service.max < trial.lane.phases[0].clocks.response.max)
        },
        HostFault("GOAWAY as a warning, then another with the last stream") { script in
            script.serviceTime = 30 * Nanoseconds.millisecond
            script.react = { request in
                switch request.number {
                case 30: Script.Reaction(deeds: [.goAway(last: .max)])
                case 32: Script.Reaction(deeds: [.goAway(reason: #"{"reason":"Shutdown"}"#)])
                default: Script.Reaction()
                }
            }
        } check: { trial in
            allDelivered(trial)
        },
        HostFault("GOAWAY, and the socket left open without another word") { script in
            script.serviceTime = 20 * Nanoseconds.millisecond
            script.react = { request in
                guard request.number == 40, request.connection < 2 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.goAway(), .mute])
            }
        } change: { profile in
            giveUpSoon(&profile)
        } check: { trial in
            let left = trial.failed(.timedOut) + trial.failed(.connectionLost)
            #expect(left >= 2 && trial.counts.delivered + left == 200, "\(trial.lane.phases[0].outcomes)")
            #expect(trial.connections(closedBy: "run end").count == 2)
        },
        HostFault("GOAWAY, and the socket closed at once", mayBeLost: 200) { script in
            script.serviceTime = 20 * Nanoseconds.millisecond
            script.react = { request in
                guard request.number == 40, request.connection < 2 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.goAway(code: .internalError, reason: "sorry"), .close])
            }
        } check: { trial in
            let lost = trial.failed(.connectionLost)
            #expect(lost >= 2 && trial.counts.delivered + lost == 200, "\(trial.lane.phases[0].outcomes)")
            let rows = trial.run.connections.filter { $0.goAwayCode != nil }
            #expect(rows.count == 2 && rows.allSatisfy { $0.goAwayReason == "sorry" && $0.goAwayCode == 2 })
        },
        HostFault("GOAWAY on every new connection, at once") { script in
            script.openWith = { $0 < 2 ? [] : [.goAway()] }
            script.react = { request in
                guard request.number == 40 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.goAway()])
            }
        } check: { trial in
            // Two seconds of drain: a wait of 50 ms on average, then 100, 200, 400, 800.
            #expect(trial.host.accepted >= 4 && trial.host.accepted <= 30, "\(trial.host.accepted) connections")
            let left = trial.failed(.unreachable) + trial.count(SkipCause.noStream.rawValue)
            #expect(left > 0 && trial.counts.delivered + left + trial.failed(.streamRefused) == 200)
        },
    ]
}

// MARK: - RST_STREAM and silence

extension WholeRuns.HostFaultTests {
    static let resets = [
        HostFault("REFUSED_STREAM now and then") { script in
            script.react = { $0.total % 10 == 9 && $0.before == 0 ? .init(reply: .reset(.refusedStream)) : .init() }
        } check: { trial in
            allDelivered(trial)
            let refused = UInt64(trial.host.repeated)
            #expect(refused >= 20 && trial.counts.retries == refused)
            #expect(trial.run.connections.reduce(0) { $0 + $1.resets } == refused)
            #expect(trial.run.connections.count == 2)
        },
        HostFault("REFUSED_STREAM always") { script in
            script.react = { _ in .init(reply: .reset(.refusedStream)) }
        } check: { trial in
            #expect(trial.failed(.streamRefused) == 200 && trial.counts.retries == 200)
            #expect(trial.host.repeated == 200 && trial.host.mostOften == 2)
        },
        HostFault("RST_STREAM with a code that tells nothing of delivery") { script in
            script.react = { $0.total % 10 == 9 ? .init(reply: .reset(.cancel)) : .init() }
        } check: { trial in
            #expect(trial.count("stream reset: CANCEL") == 20 && trial.counts.delivered == 180)
            #expect(trial.counts.retries == 0 && trial.host.repeated == 0)
            #expect(trial.run.connections.reduce(0) { $0 + $1.resets } == 20)
        },
        HostFault("RST_STREAM with every code, and one that no RFC knows") { script in
            script.react = { request in
                guard request.total < 16, request.total != 7 else { return Script.Reaction() }
                return Script.Reaction(reply: .reset(HTTP2ErrorCode(rawValue: UInt32(request.total))))
            }
        } check: { trial in
            for code in 0..<14 where code != 7 {
                #expect(trial.count("stream reset: \(HTTP2ErrorCode(rawValue: UInt32(code)))") == 1, "\(code)")
            }
            #expect(trial.count("stream reset: another code") == 2 && trial.counts.delivered == 185)
        },
        HostFault("Streams that time out are not used again before the peer has let go of them") { script in
            script.streamLimit = 4
            script.react = { $0.total % 20 == 9 ? .init(reply: .never) : .init() }
        } change: { profile in
            for name in LaneName.all { profile.lanes[name]?.timeouts.push = 100 * Nanoseconds.millisecond }
        } check: { trial in
            #expect(trial.failed(.timedOut) == 10 && trial.counts.delivered == 190)
            #expect(trial.host.cancelled == 10 && trial.host.pings >= 2, "each connection asked behind its resets")
        },
        HostFault("Some streams are never answered") { script in
            script.react = { $0.total % 10 == 9 ? .init(reply: .never) : .init() }
        } change: { profile in
            // Without their slots back the pool would come to a stand.
            for name in LaneName.all { profile.lanes[name]?.streams = .fixed(8) }
            for name in LaneName.all { profile.lanes[name]?.timeouts.push = 100 * Nanoseconds.millisecond }
        } check: { trial in
            #expect(trial.failed(.timedOut) == 20 && trial.counts.delivered == 180)
            #expect(trial.host.cancelled == 20 && trial.counts.retries == 0)
            #expect(trial.run.connections.count == 2 && trial.run.connections.allSatisfy { $0.resets == 0 })
            #expect(trial.run.connections.allSatisfy { $0.peakStreams <= 8 })
        },
        HostFault("A connection that answers nothing any more") { script in
            script.react = { $0.connection < 2 && $0.number >= 20 ? .init(reply: .never) : .init() }
        } change: { profile in
            giveUpSoon(&profile)
        } check: { trial in
            #expect(trial.connections(closedBy: "no answers any more").count == 2)
            let left = trial.failed(.timedOut) + trial.failed(.connectionLost)
            #expect(left >= 10 && trial.counts.delivered + left == 200)
            #expect(trial.counts.delivered > 40, "the new connections are of use")
        },
        HostFault("A peer that is gone without a word", mayBeLost: 200) { script in
            script.react = { request in
                guard request.number == 20, request.connection < 2 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.mute])
            }
        } change: { profile in
            for name in LaneName.all {
                profile.lanes[name]?.timeouts.keepAlive = 100 * Nanoseconds.millisecond
                profile.lanes[name]?.timeouts.connect = 100 * Nanoseconds.millisecond
                profile.lanes[name]?.timeouts.push = 5 * Nanoseconds.second
            }
        } check: { trial in
            #expect(trial.connections(closedBy: "no answer to PING").count == 2)
            #expect(trial.failed(.connectionLost) >= 2)
            #expect(trial.counts.delivered + trial.failed(.connectionLost) == 200)
        },
    ]
}

// MARK: - Stream limits

extension WholeRuns.HostFaultTests {
    static let limits = [
        HostFault("A limit of 1, then 1000, then 5, with streams in flight") { script in
            script.streamLimit = 1
            script.serviceTime = 60 * Nanoseconds.millisecond
            script.react = { request in
                switch request.number {
                case 3: Script.Reaction(deeds: [.limit(1000)])
                case 40: Script.Reaction(deeds: [.limit(5)])
                default: Script.Reaction()
                }
            }
        } check: { trial in
            allDelivered(trial)
            let rows = trial.run.connections
            #expect(rows.count == 2 && rows.allSatisfy { $0.peerLimitMin == 1 && $0.peerLimitMax == 1000 })
            #expect(rows.allSatisfy { $0.peakStreams > 5 })
        },
        HostFault("A limit of 0 for a while") { script in
            script.streamLimit = 100
            script.react = { $0.total == 50 ? .init(deeds: [.limit(0), .limit(100)]) : .init() }
        } check: { trial in
            allDelivered(trial)
            #expect(trial.run.connections.contains { $0.peerLimitMin == 0 && $0.peerLimitMax == 100 })
        },
    ]
}

// MARK: - Lost connections and hosts

extension WholeRuns.HostFaultTests {
    static let losses = [
        HostFault("A connection is closed with streams in flight", mayBeLost: 200) { script in
            script.serviceTime = 20 * Nanoseconds.millisecond
            script.react = { request in
                guard request.number == 40, request.connection < 2 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.close])
            }
        } check: { trial in
            let lost = trial.failed(.connectionLost)
            #expect(lost >= 2 && trial.counts.delivered + lost == 200, "\(trial.lane.phases[0].outcomes)")
            #expect(trial.counts.retries == 0 && trial.host.repeated == 0)
            #expect(trial.run.connections.count == 4)
        },
        HostFault("Bytes that are no HTTP/2", mayBeLost: 200) { script in
            script.serviceTime = 20 * Nanoseconds.millisecond
            script.react = { request in
                guard request.number == 40, request.connection < 2 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.nonsense])
            }
        } check: { trial in
            let lost = trial.failed(.protocolError)
            #expect(lost >= 2 && trial.counts.delivered + lost == 200, "\(trial.lane.phases[0].outcomes)")
            #expect(trial.connections(closedBy: "HTTP/2 violation").count == 2)
            #expect(trial.host.goodbyes == 4, "each connection was told why it ends")
        },
        HostFault("The host is gone for a while", mayBeLost: 200) { script in
            let ms = Nanoseconds.millisecond
            script.events = [(100 * ms, .leave), (350 * ms, .comeBack)]
        } check: { trial in
            let lost = trial.failed(.connectionLost)
            #expect(trial.counts.delivered + lost == 200, "\(trial.lane.phases[0].outcomes)")
            #expect(trial.counts.delivered >= 150, "pushes that became due meanwhile waited")
            #expect(trial.lane.phases[0].clocks.response.max >= 100 * Nanoseconds.millisecond)
            #expect(!trial.connections(closedBy: "refused").isEmpty, "tries in vain have rows")
            #expect(trial.connections(closedBy: "run end").count == 2)
        },
        HostFault("The host is gone for good", mayBeLost: 200) { script in
            script.events = [(100 * Nanoseconds.millisecond, .leave)]
        } check: { trial in
            #expect(trial.failed(.unreachable) >= 100)
            let ends = trial.counts.delivered + trial.failed(.connectionLost) + trial.failed(.unreachable)
            #expect(ends == 200, "\(trial.lane.phases[0].outcomes)")
            let tries = trial.connections(closedBy: "refused")
            #expect(tries.count >= 2 && tries.count <= 30, "\(tries.count) tries")
            #expect(tries.allSatisfy { $0.handshake == 0 && $0.streams == 0 && $0.opened > 0 })
        },
        HostFault("New connections are closed as soon as they are accepted", mayBeLost: 200) { script in
            script.greet = { (2...4).contains($0) ? .close : .serve }
            script.react = { request in
                guard request.number == 40, request.connection < 2 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.goAway()])
            }
        } change: { profile in
            // Four times as long, so that there is time left for the new ones.
            profile.load.phases[0].duration = 2 * Nanoseconds.second
            profile.load.phases[0].shape = .constant(.total(.perSecond(100)))
        } check: { trial in
            allDelivered(trial)
            #expect(trial.host.accepted == 7 && trial.host.secured == 4)
            #expect(trial.run.connections.count { $0.handshake == 0 } >= 3)
        },
        HostFault("TLS is slow on new connections, longer than allowed at first") { script in
            script.greet = { number in
                switch number {
                case 0, 1: .serveLater(30 * Nanoseconds.millisecond)
                case 2, 3: .serveLater(10 * Nanoseconds.second)
                default: .serveLater(50 * Nanoseconds.millisecond)
                }
            }
            script.react = { request in
                guard request.number == 20, request.connection < 2 else { return Script.Reaction() }
                return Script.Reaction(deeds: [.goAway()])
            }
        } change: { profile in
            for name in LaneName.all { profile.lanes[name]?.timeouts.handshake = 200 * Nanoseconds.millisecond }
        } check: { trial in
            allDelivered(trial)
            #expect(trial.connections(closedBy: "TLS handshake timed out").count == 2)
            let up = trial.run.connections.filter { $0.handshake > 0 }
            #expect(up.count >= 3, "\(trial.run.connections.map { ($0.closedBy, $0.opened, $0.closed, $0.handshake) })")
            #expect(up.allSatisfy { $0.handshake >= 20 * Nanoseconds.millisecond })
        },
    ]
}
