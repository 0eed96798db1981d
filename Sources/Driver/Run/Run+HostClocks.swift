import Credentials
import Fleet
import LoadPlan
import Sending
import Transport

extension Run {
    /// By how much this machine's clock is ahead of the hosts', by the one that is furthest from it; nil where none says its time.
    ///
    /// Asks FCM's hosts only: APNs has no `date` in its answers, and a connection there for nothing else is not wanted. A host
    /// that does not answer is no fault here: the run's own connections will tell.
    func askHostsForTheirTime() -> Int64? {
        setups.filter { $0.lane.provider == .fcm }
            .compactMap { lane -> Int64? in
                let asked = WallClock.now()
                let probe = HostProbe(RunCredentials.client(of: hosts, proxy: lane.section.proxy))
                guard let answer = try? probe.ask("https://\(lane.route.authority)/"), let date = answer.date else {
                    return nil
                }
                return HostClock.ahead(date: date, asked: asked, answered: WallClock.now())
            }
            .max { abs($0) < abs($1) }
    }
}
