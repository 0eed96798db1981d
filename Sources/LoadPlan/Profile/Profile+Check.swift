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
            let section = self.lane(lane)
            if section.batch != nil, LaneName.isAPNs(lane) {
                throw BrokenRule(
                    path: "lanes.\(lane).batch",
                    message: "is for fcm only: APNs takes one push per request"
                )
            }
            if let certificate = section.certificate {
                try certificate.check(path: "lanes.\(lane).certificate")
            }
            if let host = section.host, !Self.isHostURL(host) {
                throw BrokenRule(
                    path: "lanes.\(lane).host",
                    message: "is \"\(host)\"; allowed: https://NAME or https://NAME:PORT"
                )
            }
        }
    }

    /// `https://`, a name without a path and perhaps a port.
    private static func isHostURL(_ text: String) -> Bool {
        guard text.hasPrefix("https://") else { return false }
        var name = text.dropFirst("https://".count)
        // The colons of an IPv6 address stand in brackets.
        if name.first == "[", let end = name.firstIndex(of: "]") { name = "v6" + name[name.index(after: end)...] }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, !host.contains("/"), parts.count <= 2 else { return false }
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

    private static func sum(_ path: String, _ shares: [Double]) -> BrokenRule {
        let sum = shares.reduce(0, +)
        return abs(sum - 1) <= 1e-9
            ? BrokenRule(path: path, message: "has shares finer than 1 in 10,000")
            : BrokenRule(path: path, message: "has shares that sum to \(sum); allowed: exactly 1")
    }
}
