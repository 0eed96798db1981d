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

    static let apnsReasons = APNsReason.allCases
    static let broadcastReasons = BroadcastReason.allCases

    /// Room for the reasons of one host; index 0 counts the answers without one.
    private static let width = 128

    /// How often each host gave each answer, host after host.
    private var answers = [UInt64](repeating: 0, count: width * HostName.allCases.count)
    private var connections = PerHost { _ in Connections() }
    /// Answers that came due when their stream or connection was gone.
    var abandoned: UInt64 = 0
    /// Requests that were refused because too many answers were waiting, or too many streams were open.
    var refusedStreams: UInt64 = 0

    init() {
        let most = max(
            Self.apnsReasons.count + Self.broadcastReasons.count,
            FCMReason.allCases.count,
            OAuthReason.allCases.count
        )
        precondition(most < Self.width, "\(most) reasons of one host need more room")
    }

    subscript(host: HostName) -> Connections {
        get { connections[host] }
        set { connections[host] = newValue }
    }

    /// Counts answers of the canned policy.
    mutating func countCanned(_ times: UInt64, by host: HostName) {
        answers[Self.width * Int(host.rawValue)] &+= times
    }

    mutating func count(_ answer: borrowing HostAnswer, by host: HostName) {
        let reason: Int?
        switch answer {
        case .canned: reason = nil
        case .apns(let answer): reason = answer.reason.flatMap { Self.apnsReasons.firstIndex(of: $0) }
        case .channel(let answer):
            reason = answer.reason.flatMap { Self.broadcastReasons.firstIndex(of: $0) }
                .map { Self.apnsReasons.count + $0 }
        case .fcm(let answer): reason = answer.reason.map { Int($0.rawValue) }
        case .oauth(let answer): reason = answer.reason.map { Int($0.rawValue) }
        }
        answers[Self.width * Int(host.rawValue) + (reason.map { $0 + 1 } ?? 0)] &+= 1
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
        let counts = answers[Self.width * Int(host.rawValue)..<Self.width * (Int(host.rawValue) + 1)]
        add(200, "", counts.first ?? 0)
        for (index, count) in counts.dropFirst().enumerated() where count > 0 {
            let reason = Self.reason(index, of: host)
            add(reason.status, reason.label, count)
        }
        return rows
    }

    private static func reason(_ index: Int, of host: HostName) -> (status: Int, label: String) {
        switch host {
        case .apnsProduction, .apnsSandbox: apnsReason(index)
        case .fcm: (FCMReason.allCases[index].status, FCMReason.allCases[index].label)
        case .oauth: (OAuthReason.allCases[index].status, OAuthReason.allCases[index].label)
        }
    }

    /// Those of device pushes, then those of broadcasts.
    private static func apnsReason(_ index: Int) -> (status: Int, label: String) {
        guard index >= apnsReasons.count else { return (apnsReasons[index].status, apnsReasons[index].rawValue) }
        let reason = broadcastReasons[index - apnsReasons.count]
        return (reason.status, reason.rawValue)
    }
}
