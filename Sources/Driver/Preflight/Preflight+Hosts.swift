import Credentials
import Fleet
import LoadPlan
import Push
import Transport

/// The lanes' hosts and their clocks.
extension Preflight {
    /// What came of asking one host.
    struct HostAnswer {
        var check: PreflightCheck
        /// The difference between its clock and ours in seconds, to within one; nil where it doesn't say.
        var date: Int64?
    }

    /// A clock that is further off than this makes tokens look expired or not yet valid.
    private static let mostClockDifference: Int64 = 60
    private static let clockWarning: Int64 = 5

    /// Resolves a lane's host, connects to it, verifies its certificate and asks for nothing.
    func ask(_ lane: Lane) -> HostAnswer {
        let name = "host \(lane.name)"
        do throws(RunError) {
            let host = try HostURL(lane.section.host ?? hosts.hosts[lane.lane.name], lane: lane.name)
            return answer(of: "https://\(host.authority)/", proxy: lane.section.proxy, name: name)
        } catch {
            return HostAnswer(check: PreflightCheck(name, .failed, "\(error)"))
        }
    }

    private func answer(of url: String, proxy: String?, name: String) -> HostAnswer {
        do throws(OAuthError) {
            let asked = WallClock.now()
            let answer = try HostProbe(client(proxy: proxy)).ask(url)
            let detail = "\(url) answers with \(answer.status) over \(answer.speaksHTTP2 ? "HTTP/2" : "HTTP/1.1")"
            let check = PreflightCheck(name, answer.speaksHTTP2 ? .ok : .failed, detail)
            return HostAnswer(check: check, date: answer.date.map { $0 - asked / Nanoseconds.second })
        } catch {
            return HostAnswer(check: PreflightCheck(name, .failed, "\(error)"))
        }
    }

    /// Our clock against those of the hosts that say theirs.
    func clockCheck(_ differences: [Int64]) -> PreflightCheck {
        guard let worst = differences.max(by: { abs($0) < abs($1) }) else {
            return PreflightCheck("clock", .ok, "no host says its time")
        }
        let detail = "at most \(abs(worst)) s from the hosts'"
        if abs(worst) > Self.mostClockDifference { return PreflightCheck("clock", .failed, detail) }
        return PreflightCheck("clock", abs(worst) > Self.clockWarning ? .warning : .ok, detail)
    }
}
