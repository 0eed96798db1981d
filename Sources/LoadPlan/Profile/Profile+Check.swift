/// A rule that a profile breaks, with the field that does.
package struct BrokenRule: Error, Sendable, Equatable {
    package var path: String
    package var message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }
}

extension Profile {
    /// Checks what no field can tell by itself: sums, order, limits of the services, fields that depend on each other.
    package func check() throws(BrokenRule) {
        try fleet.check()
        for (index, message) in messages.enumerated() { try message.check(path: "messages[\(index)]") }
        try checkLanes()
        try checkPhases()
        // The plan knows whether rates and mix allow exact times. A CSV fleet's mix is known only when it is read.
        _ = try LoadPlan(self, laneWeights: fleet.csv == nil ? nil : LaneName.all.map { _ in 1 })
    }

    private func checkLanes() throws(BrokenRule) {
        for lane in LaneName.all {
            try check(self.lane(lane), of: lane, path: "lanes.\(lane)")
            try checkTenants(of: lane)
            for (index, tenant) in self.lane(lane).tenants.enumerated() {
                try check(tenant.section, of: lane, path: "lanes.\(lane).tenants[\(index)]")
            }
        }
        for threshold in thresholds where threshold.subject.lane != ThresholdSubject.all {
            let parts = parts(of: LaneName.base(of: threshold.subject.lane)).map(\.name)
            guard !parts.contains(threshold.subject.lane) else { continue }
            throw BrokenRule(
                path: "thresholds[\"\(threshold.subject.text)\"]",
                message: "is about no tenant of the lane; allowed: \(parts.joined(separator: ", "))"
            )
        }
    }

    private func check(_ section: LaneSection, of lane: String, path: String) throws(BrokenRule) {
        if section.batch != nil, LaneName.isAPNs(lane) {
            throw BrokenRule(path: path + ".batch", message: "is for fcm only: APNs takes one push per request")
        }
        try section.certificate?.check(path: path + ".certificate")
        try checkNextKey(of: section, path: path + ".credential.next")
        for (field, url, scheme) in [("host", section.host, "https"), ("proxy", section.proxy, "http")] {
            guard let url, !Self.isHostURL(url, scheme: scheme) else { continue }
            throw BrokenRule(
                path: "\(path).\(field)",
                message: "is \"\(url)\"; allowed: \(scheme)://NAME or \(scheme)://NAME:PORT"
            )
        }
    }

    private func checkNextKey(of section: LaneSection, path: String) throws(BrokenRule) {
        guard let next = section.credential?.next else { return }
        guard section.usesTokens else {
            throw BrokenRule(path: path, message: "is a key, but all connections of the lane use a certificate")
        }
        let length = load.length
        guard next.at < length else {
            throw BrokenRule(
                path: path + ".at",
                message: "is \(Quantity.text(duration: next.at)); allowed: before the load's end, "
                    + Quantity.text(duration: length)
            )
        }
    }

    /// The scheme, a name without a path and perhaps a port.
    private static func isHostURL(_ text: String, scheme: String) -> Bool {
        guard text.hasPrefix(scheme + "://") else { return false }
        var name = text.dropFirst(scheme.utf8.count + 3)
        // The colons of an IPv6 address stand in brackets.
        if name.first == "[", let end = name.firstIndex(of: "]") { name = "v6" + name[name.index(after: end)...] }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, !host.contains(where: { "/@".contains($0) }), parts.count <= 2
        else { return false }
        return parts.count == 1 || (1...65_535).contains(Int(parts[1]) ?? 0)
    }
}

extension CertificateSection {
    fileprivate func check(path: String) throws(BrokenRule) {
        if passwordFile != nil, passwordEnvironment != nil {
            throw BrokenRule(path: path, message: "has both passwordFile and passwordEnvironment; allowed: one of them")
        }
        if file == nil, key != nil || passwordFile != nil || passwordEnvironment != nil {
            throw BrokenRule(path: path, message: "has no file that key or password could belong to")
        }
    }
}

extension FleetSection {
    fileprivate func check() throws(BrokenRule) {
        guard Shares.weights(mix.map(\.share)) != nil else { throw Self.sum("fleet.mix", mix.map(\.share)) }
        guard Shares.weights(apps.map(\.share)) != nil else { throw Self.sum("fleet.apps", apps.map(\.share)) }
        if let twice = apps.indices.first(where: { index in apps[..<index].contains { $0.topic == apps[index].topic } })
        {
            throw BrokenRule(
                path: "fleet.apps[\(twice)].topic",
                message: "is \"\(apps[twice].topic)\" for a second time"
            )
        }
        try checkRouting()
        guard longestToken % 2 == 0 else {
            throw BrokenRule(path: "fleet.longestToken", message: "is \(longestToken); allowed: even, 64 to 200")
        }
        if longTokenShare > 0, longestToken == 64 {
            throw BrokenRule(
                path: "fleet.longTokenShare",
                message: "is above 0, but longestToken is 64, so none is longer"
            )
        }
        let defects = [
            defects.unregistered, defects.wrongEnvironment, defects.malformed, defects.wrongTopic, defects.otherSender,
        ]
        guard defects.reduce(0, +) <= 1 + 1e-9 else {
            throw BrokenRule(path: "fleet.defects", message: "sum to \(defects.reduce(0, +)); allowed: at most 1")
        }
    }

    /// What only rows of a file leave open.
    private func checkRouting() throws(BrokenRule) {
        guard csv == nil else { return }
        if misshapen == .fcm {
            throw BrokenRule(
                path: "fleet.misshapen",
                message: "is \"fcm\"; allowed without a csv: \"send\", \"refuse\""
            )
        }
        if let index = apps.firstIndex(where: { $0.environment != nil }) {
            throw BrokenRule(
                path: "fleet.apps[\(index)].environment",
                message: "is for the devices of a csv; those of a fleet that is made up have one by fleet.mix"
            )
        }
    }

    private static func sum(_ path: String, _ shares: [Double]) -> BrokenRule {
        let sum = shares.reduce(0, +)
        return abs(sum - 1) <= 1e-9
            ? BrokenRule(path: path, message: "has shares finer than 1 in 10,000")
            : BrokenRule(path: path, message: "has shares that sum to \(sum); allowed: exactly 1")
    }
}
