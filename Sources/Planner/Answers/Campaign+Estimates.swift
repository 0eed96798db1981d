import Hosts
package import LoadPlan
import Sending

/// What is estimated beside the simulation, and what all of it rests on.
extension Campaign {
    /// Bytes on the wire for each attempt: as measured, or estimated from the messages.
    ///
    /// Estimate: a frame header and TLS's share, the token literal in path or body, the bearer token literal for APNs (Apple
    /// asks for it not to be indexed) and indexed for FCM, then the payload.
    package var bytesPerPush: BytesPerPush {
        if let measured = settings.bytesPerPush { return measured }
        let weight = max(1, profile.messages.reduce(0) { $0 + $1.weight })
        let payload = profile.messages.reduce(0) { sum, message in
            let bytes = message.payload?.utf8.count ?? message.payloadBytes ?? Message.standardPayloadBytes
            return sum + bytes * message.weight
        }
        let body = payload / weight
        let pushes = lanes.map { Double($0.plan.totalPlanned ?? 1) }
        let apns = zip(lanes, pushes).reduce(0) { $0 + ($1.0.isAPNs ? $1.1 : 0) } / max(1, pushes.reduce(0, +))
        let out = apns * Double(Self.apnsOverhead + body) + (1 - apns) * Double(Self.fcmOverhead + body)
        let back = apns * Double(Self.apnsAnswer) + (1 - apns) * Double(Self.fcmAnswer)
        return BytesPerPush(out: Int(out.rounded()), in: Int(back.rounded()))
    }

    /// Frame headers, a literal JWT of 207 bytes, path and `apns-id`.
    private static let apnsOverhead = 9 + 9 + 207 + 73 + 37 + 8
    /// Frame headers, indexed fields, `content-length` and the token in the body.
    private static let fcmOverhead = 9 + 9 + 14 + 163 + 26
    private static let apnsAnswer = 9 + 41
    private static let fcmAnswer = 9 + 9 + 30 + 75

    /// How many tokens each lane signs or exchanges in a time.
    func tokens(lasting time: Int64) -> [TokenAnswer] {
        let scale = profile.mock.tokenScale
        return lanes.compactMap { lane in
            if lane.section.certificate?.share == 1 { return nil }
            let policy = TokenPolicy.apns
            let lifetime = (lane.isAPNs ? policy.lifetime ?? Nanoseconds.hour : Nanoseconds.hour) / scale
            let lead = min((lane.isAPNs ? policy.lead : TokenPolicy.oauth.lead) / scale, lifetime / 6)
            let every = max(1, lifetime - lead)
            return TokenAnswer(
                lane: lane.name,
                signed: 1 + UInt64(max(0, time - 1) / every),
                rule: lane.isAPNs
                    ? "one every \(every / Nanoseconds.minute) min; Apple: no less than one in 60, no more than one in 20"
                    : "an assertion every \(every / Nanoseconds.minute) min; access tokens last an hour"
            )
        }
    }

    /// What the answer rests on.
    func assumptions(seeds: Int) -> [Assumption] {
        lanes.flatMap { assumptions(of: $0) } + costAssumptions + commonAssumptions(seeds: seeds)
    }

    private func assumptions(of lane: CampaignLane) -> [Assumption] {
        let own = profile.mock.policy == .canned ? "canned hosts" : "assumed: mock.serviceTime"
        let streams =
            lane.isAPNs
            ? "1,000 as the production host announced in 2021 (jchambers/pushy#878), unless set"
            : "100 as Firebase's SDKs keep to (firebase-admin-java); no page of Firebase states it, unless set"
        var list = [
            Assumption("\(lane.name) service time", lane.serviceTime.sentence, source: own),
            Assumption("\(lane.name) streams of a connection", "\(lane.streams)", source: streams),
        ]
        if let quota = lane.host.wholeQuota {
            list.append(
                Assumption(
                    "\(lane.name) quota",
                    "\(quota.most) in each \(Quantity.text(duration: quota.window)), refilled in full, its begin not aligned to "
                        + "the clock",
                    source: "Firebase, Throttling and quotas, unless set"
                )
            )
        }
        return list
    }

    private var costAssumptions: [Assumption] {
        let bytes = bytesPerPush
        return [
            Assumption(
                "way to the hosts and back",
                Quantity.text(duration: settings.roundTrip),
                source: "campaign.roundTrip"
            ),
            Assumption(
                "CPU per push",
                settings.cpuPerPush.map { Quantity.text(duration: $0) } ?? "not known: no worker is ever busy",
                source: settings.cpuPerPush == nil ? "give --cpu-per-push or --from RESULT" : "campaign.cpuPerPush"
            ),
            Assumption(
                "bytes of an attempt",
                "\(bytes.out) out, \(bytes.in) in",
                source: settings.bytesPerPush == nil ? "estimated from messages and HPACK" : "campaign.bytesPerPush"
            ),
            Assumption(
                "threads that send",
                "\(workers)",
                source: profile.workers == nil ? "one, unless set" : "workers"
            ),
        ]
    }

    private func commonAssumptions(seeds: Int) -> [Assumption] {
        var list = [
            Assumption(
                "spread",
                "\(seeds) \(seeds == 1 ? "seed" : "seeds")"
                    + (settings.quotaPhase == nil ? ", the quota's minute beginning at any time" : ""),
                source: "simulation; the 99th percentile of fewer than 100 seeds is the worst of them"
            ),
            Assumption("connections", "open before the start, and never lost", source: "simulation"),
            Assumption(
                "retries that wait",
                isBounded
                    ? "as many as the backlog holds"
                    : "\(Sender.mostDelayed) for each thread; with so many nothing new is begun",
                source: "simulation"
            ),
        ]
        let ignored = Set(lanes.flatMap(\.host.ignoredFaults).map(\.description)).sorted()
        if !ignored.isEmpty {
            list.append(Assumption("faults left out", ignored.joined(separator: " "), source: "not part of the model"))
        }
        return list
    }
}

extension Distribution {
    /// For people: `20ms`, `1ms to 2ms`, `20ms in the median, 30ms at p99`.
    package var sentence: String {
        switch self {
        case .constant(let time): Quantity.text(duration: time)
        case .uniform(let from, let to): "\(Quantity.text(duration: from)) to \(Quantity.text(duration: to))"
        case .lognormal(let median, let p99):
            "\(Quantity.text(duration: median)) in the median, \(Quantity.text(duration: p99)) at p99"
        }
    }
}
