/// What a run against the real hosts of Apple and Google has to keep to.
///
/// Sources: Apple, "Establishing a connection to APNs"; Firebase, "Best practices when sending FCM messages at scale".
extension Profile {
    /// The hosts that a lane sends to unless the profile names another.
    package static let realHosts = [
        LaneName.apnsProduction: "https://api.push.apple.com",
        LaneName.apnsSandbox: "https://api.sandbox.push.apple.com",
        LaneName.fcm: "https://fcm.googleapis.com",
    ]

    /// A lane ends when more than this share of the answers are bad tokens, unless the profile says otherwise.
    package static let mostBadTokensOnRealHosts = 0.05
    private static let leastRamp = 60 * Nanoseconds.second
    private static let leastReserve = 0.1
    private static let mostConnections = 100
    private static let leastKeepAlive = Nanoseconds.minute

    /// The profile with what is the default only against real hosts.
    package func preparedForRealHosts() -> Profile {
        var profile = self
        for name in LaneName.all {
            var section = lane(name)
            section.prepareForRealHosts(isAPNs: LaneName.isAPNs(name))
            for index in section.tenants.indices {
                section.tenants[index].section.prepareForRealHosts(isAPNs: LaneName.isAPNs(name))
            }
            profile.lanes[name] = section
        }
        return profile
    }

    /// Refuses what would harm real devices, or look like an attack to their services.
    ///
    /// - Parameter used: the lanes that the fleet has devices for.
    package func checkForRealHosts(using used: [String]) throws(BrokenRule) {
        guard fleet.csv != nil else {
            throw BrokenRule(path: "fleet.csv", message: "is missing; real hosts are sent to devices from a file only")
        }
        try checkRamp()
        for name in used {
            try check(lane(name), path: "lanes.\(name)", isAPNs: LaneName.isAPNs(name))
            for (index, tenant) in lane(name).tenants.enumerated() {
                let path = "lanes.\(name).tenants[\(index)]"
                try check(tenant.section, path: path, isAPNs: LaneName.isAPNs(name))
            }
        }
    }

    /// The load starts from little and takes a minute to its peak.
    private func checkRamp() throws(BrokenRule) {
        let first = load.phases[0]
        guard case .ramp(let from, let to) = first.shape, first.duration >= Self.leastRamp,
            from.perSecond <= to.perSecond / 10
        else {
            throw BrokenRule(
                path: "load.phases[0]",
                message: "is no ramp of at least 60s from a tenth of its end or less; real hosts need one first"
            )
        }
        for (index, phase) in load.phases.enumerated() {
            guard let peak = phase.shape.peakPerSecond, peak <= to.perSecond else {
                throw BrokenRule(
                    path: "load.phases[\(index)]",
                    message: "rises above the \(Quantity.text(to)) that the first ramp led to; allowed: at most that"
                )
            }
        }
    }

    private func check(_ section: LaneSection, path: String, isAPNs: Bool) throws(BrokenRule) {
        guard section.connections <= Self.mostConnections else {
            throw BrokenRule(
                path: path + ".connections",
                message: "is \(section.connections); allowed on real hosts: at most \(Self.mostConnections)"
            )
        }
        guard section.timeouts.keepAlive >= Self.leastKeepAlive else {
            throw BrokenRule(
                path: path + ".timeouts.keepAlive",
                message: "is \(Quantity.text(duration: section.timeouts.keepAlive)); allowed on real hosts: 1m or more"
            )
        }
        guard isAPNs || section.quota.keeper != .none && section.quota.reserve >= Self.leastReserve else {
            throw BrokenRule(
                path: path + ".quota",
                message: "keeps no quota with a reserve of at least \(Self.leastReserve); needed on real hosts"
            )
        }
        if let host = section.host, let name = Self.realHosts.values.first(where: { host.hasPrefix($0) }) {
            let port = host.dropFirst(name.count)
            guard ["", ":443"].contains(port) || isAPNs && port == ":2197" else {
                throw BrokenRule(
                    path: path + ".host",
                    message: "is \"\(host)\"; allowed: port 443\(isAPNs ? " or 2197" : "")"
                )
            }
        }
        try checkCredential(section, path: path, isAPNs: isAPNs)
    }

    private func checkCredential(_ section: LaneSection, path: String, isAPNs: Bool) throws(BrokenRule) {
        let credential = section.credential
        if isAPNs {
            let hasKey = credential?.key != nil && credential?.keyId != nil || credential?.shardKeys.isEmpty == false
            guard hasKey && credential?.teamId != nil || !section.usesTokens else {
                throw BrokenRule(path: path + ".credential", message: "needs key, keyId and teamId on real hosts")
            }
            if let next = credential?.next, next.key == nil {
                throw BrokenRule(path: path + ".credential.next", message: "needs key and keyId on real hosts")
            }
            if let certificate = section.certificate, certificate.file == nil {
                throw BrokenRule(path: path + ".certificate", message: "needs a file on real hosts")
            }
        } else {
            let hasBearer = credential?.bearerFile != nil && credential?.projectId != nil
            guard credential?.serviceAccount != nil || hasBearer else {
                throw BrokenRule(
                    path: path + ".credential",
                    message: "needs serviceAccount, or bearerFile and projectId, on real hosts"
                )
            }
        }
    }
}

extension LaneSection {
    /// Sets what is the default only against real hosts.
    fileprivate mutating func prepareForRealHosts(isAPNs: Bool) {
        mostBadTokens = mostBadTokens ?? Profile.mostBadTokensOnRealHosts
        validateOnly = validateOnly ?? !isAPNs
    }
}

extension PhaseShape {
    /// The highest rate; nil for a closed loop, whose rate is the host's to say, and for a replay, whose file says it.
    fileprivate var peakPerSecond: Double? {
        switch self {
        case .constant(.total(let rate)): rate.perSecond
        case .constant(.perLane(let rates)): rates.values.reduce(0) { $0 + $1.perSecond }
        case .pause: 0
        case .ramp(let from, let to), .steps(let from, let to, _): max(from.perSecond, to.perSecond)
        case .spike(let base, let peak, _, _): max(base.perSecond, peak.perSecond)
        case .closed, .replay: nil
        }
    }
}
