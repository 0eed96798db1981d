import Fleet
import Hosts
import LoadPlan
import Push

/// A host in virtual time: the same quota windows, device limits, faults and service times as the mock hosts'.
struct HostModel {
    /// The answer to one request.
    struct Reply {
        /// Which of ``HostModel/answers``.
        var answer: UInt8
        /// Nanoseconds until it is on its way.
        var serviceTime: Int64
        /// Nanoseconds that it asks to wait; nil where it doesn't say.
        var retryAfter: Int64?
        /// Whether it took something of the project's quota.
        var isCounted: Bool
    }

    static let delivered: UInt8 = 0
    static let badToken: UInt8 = 1
    static let projectQuota: UInt8 = 2
    static let deviceQuota: UInt8 = 3

    /// What the sender asks of an answer, without its text.
    struct Traits: BitwiseCopyable {
        var status: Int
        var disposition: Disposition
        var isRetryable: Bool
        var isLaneQuota: Bool

        init(_ answer: Answer) {
            status = answer.status
            disposition = answer.disposition
            isRetryable = answer.disposition == .retryLater
            isLaneQuota = answer.isLaneQuota
        }
    }

    /// What the numbers of answers stand for.
    let answers: [Answer]
    let traits: [Traits]
    private let firstRefusal: UInt8 = 4
    private var quota: QuotaWindow?
    private var devices: DeviceTable?
    private var faults: HostFaults?
    private var connection = ConnectionFaults()
    private let serviceTimes: SampleTable
    private var numbers: SplitMix
    private let badBelow: UInt64
    private let collapsibleBelow: UInt64
    private let seed: UInt64
    /// Messages that the service holds back, which the sender is not told.
    private(set) var heldBack: UInt64 = 0

    /// - Parameter phase: when the quota is first refilled.
    init(_ lane: CampaignLane, phase: Int64, seed: UInt64) {
        let rules = lane.host
        quota = rules.quota.map { QuotaWindow($0, phase: phase) }
        let perDevice = lane.plan.totalPlanned.map { ($0 + lane.devices - 1) / lane.devices }
        let tightest = rules.deviceLimits.map { limits in
            min(
                limits.short.most,
                limits.long?.most ?? .max,
                lane.collapsibleShare > 0 ? limits.collapsible?.burst ?? .max : .max
            )
        }
        let matters = rules.deviceLimitsAreOwn || perDevice.map { $0 > UInt64(max(0, tightest ?? .max)) } ?? false
        devices = matters ? rules.deviceLimits.map { DeviceTable($0, capacity: 1 << 18) } : nil
        faults = HostFaults(rules.faults, host: lane.name, seed: seed)
        // The mock hosts' sequence of times, from a table: here they are most of what a push costs.
        serviceTimes = SampleTable(lane.serviceTime)
        numbers = SplitMix(seed: seed ^ 0x5E)
        badBelow = Self.threshold(lane.badShare)
        collapsibleBelow = Self.threshold(lane.collapsibleShare)
        self.seed = scramble(seed)
        answers = Self.answers(lane, refusals: faults?.refusals ?? [])
        traits = answers.map(Traits.init)
    }

    private static func threshold(_ share: Double) -> UInt64 { share >= 1 ? .max : UInt64(max(0, share) * 0x1p64) }

    private static func answers(_ lane: CampaignLane, refusals: [HostRefusal]) -> [Answer] {
        func answer(_ status: Int, _ reason: String) -> Answer {
            let disposition = Disposition(provider: lane.provider, status: status, reason: reason)
            return Answer(status: status, reason: reason, disposition: disposition)
        }
        let own =
            lane.isAPNs
            ? [
                answer(200, ""), answer(410, "Unregistered"), answer(429, "RATE_LIMIT_EXCEEDED"),
                answer(429, "TooManyRequests"),
            ]
            : [
                answer(200, ""), answer(404, "UNREGISTERED"), answer(429, "RATE_LIMIT_EXCEEDED"),
                answer(429, "QUOTA_EXCEEDED"),
            ]
        return own
            + refusals.map { refusal in
                switch refusal {
                case .apns(let reason): answer(reason.status, reason.rawValue)
                case .fcm(let reason): answer(reason.status, reason.label)
                case .oauth(let reason): answer(400, reason.label)
                }
            }
    }

    /// Answers a request that arrives at a time.
    @inline(__always)
    mutating func reply(push: UInt64, device: UInt64, at now: Int64) -> Reply {
        if faults != nil { return faultyReply(push: push, device: device, at: now) }
        var reply = look(push: push, device: device, at: now)
        reply.serviceTime = serviceTimes.sample(numbers.next())
        return reply
    }

    private mutating func faultyReply(push: UInt64, device: UInt64, at now: Int64) -> Reply {
        let fault = faults?.request(over: &connection, at: now) ?? RequestFault()
        var reply: Reply
        if let refusal = fault.refusal {
            reply = Reply(answer: firstRefusal + refusal, serviceTime: 0, retryAfter: nil, isCounted: false)
        } else {
            reply = look(push: push, device: device, at: now)
        }
        reply.serviceTime = fault.serviceTime ?? serviceTimes.sample(numbers.next())
        let status = answers[Int(reply.answer)].status
        if status == 429 || status == 503 {
            switch faults?.retryAfter(at: now) {
            case .seconds(let seconds), .date(let seconds): reply.retryAfter = seconds * Nanoseconds.second
            case .absent, nil: break
            }
        }
        return reply
    }

    /// In the order of the host's checks: the project's quota, the device, the device's limits.
    @inline(__always)
    private mutating func look(push: UInt64, device: UInt64, at now: Int64) -> Reply {
        if quota?.take(at: now) == false {
            return Reply(answer: Self.projectQuota, serviceTime: 0, retryAfter: nil, isCounted: false)
        }
        var reply = Reply(answer: Self.delivered, serviceTime: 0, retryAfter: nil, isCounted: true)
        if badBelow > 0, scramble(device ^ seed) < badBelow {
            reply.answer = Self.badToken
        } else if devices != nil {
            let isCollapsible = isCollapsible(push)
            let verdict = devices?.count(scramble(device &+ 1), isCollapsible: isCollapsible, at: now)
            if verdict == .exceeded { reply.answer = Self.deviceQuota }
            if verdict == .delayed { heldBack &+= 1 }
        }
        return reply
    }

    @inline(__always)
    func isCollapsible(_ push: UInt64) -> Bool {
        collapsibleBelow > 0 && scramble(push &+ seed) < collapsibleBelow
    }
}
