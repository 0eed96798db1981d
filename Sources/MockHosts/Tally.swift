import Hosts
import Push

/// Counts what the hosts answered and who connected.
struct Tally {
    /// What became of connections.
    struct Connections: Equatable {
        var accepted: UInt64 = 0
        /// Handshakes that came to an end and let data flow.
        var secured: UInt64 = 0
        var open: UInt64 = 0
        var mostOpen: UInt64 = 0
        /// Closed at once because there were too many.
        var turnedAway: UInt64 = 0
        /// Ended for breaking HTTP/2, HTTP/1.1 or TLS.
        var faulty: UInt64 = 0
    }

    /// Answers of one host, by the index of their reason; the last one counts those without.
    private struct Answers {
        var byReason: [UInt64]
        var accepted: UInt64 = 0
    }

    static let apnsReasons = APNsReason.allCases

    private var answers: PerHost<Answers>
    private var connections = PerHost { _ in Connections() }
    /// Answers that came due when their stream or connection was gone.
    var abandoned: UInt64 = 0
    /// Requests that were refused because too many answers were waiting, or too many streams were open.
    var refusedStreams: UInt64 = 0

    init() {
        answers = PerHost { host in
            switch host {
            case .apnsProduction, .apnsSandbox: Answers(byReason: Array(repeating: 0, count: Self.apnsReasons.count))
            case .fcm: Answers(byReason: Array(repeating: 0, count: FCMReason.allCases.count))
            case .oauth: Answers(byReason: Array(repeating: 0, count: OAuthReason.allCases.count))
            }
        }
    }

    subscript(host: HostName) -> Connections {
        get { connections[host] }
        set { connections[host] = newValue }
    }

    mutating func count(_ answer: HostAnswer, by host: HostName) {
        switch answer {
        case .canned: answers[host].accepted &+= 1
        case .apns(let answer): count(answer.reason.flatMap { Self.apnsReasons.firstIndex(of: $0) }, by: host)
        case .fcm(let answer): count(answer.reason.map { Int($0.rawValue) }, by: host)
        case .oauth(let answer): count(answer.reason.map { Int($0.rawValue) }, by: host)
        }
    }

    private mutating func count(_ reason: Int?, by host: HostName) {
        if let reason { answers[host].byReason[reason] &+= 1 } else { answers[host].accepted &+= 1 }
    }

    /// The answers given, one row for each kind that occurred.
    ///
    /// Reasons that a sender can't tell apart share a row.
    func rows(of host: HostName) -> [MockSummary.AnswerCount] {
        var rows: [MockSummary.AnswerCount] = []
        func add(_ status: Int, _ reason: String, _ count: UInt64) {
            guard count > 0 else { return }
            if let same = rows.firstIndex(where: { $0.status == status && $0.reason == reason }) {
                rows[same].count += count
            } else {
                rows.append(.init(host: host.name, status: status, reason: reason, count: count))
            }
        }
        let counts = answers[host]
        add(200, "", counts.accepted)
        for (index, count) in counts.byReason.enumerated() {
            switch host {
            case .apnsProduction, .apnsSandbox:
                add(Self.apnsReasons[index].status, Self.apnsReasons[index].rawValue, count)
            case .fcm: add(FCMReason.allCases[index].status, FCMReason.allCases[index].label, count)
            case .oauth: add(OAuthReason.allCases[index].status, OAuthReason.allCases[index].label, count)
            }
        }
        return rows
    }
}
