/// The devices: how many, of which lanes and apps, how their tokens look and what is wrong with them.
package struct FleetSection: Sendable, Equatable {
    package var size: UInt64 = 1_000_000
    /// The share of each lane, in the order of ``LaneName/all``; the shares sum to 1.
    package var mix = [
        LaneShare(lane: LaneName.apnsProduction, share: 0.45),
        LaneShare(lane: LaneName.apnsSandbox, share: 0.05),
        LaneShare(lane: LaneName.fcm, share: 0.5),
    ]
    package var apps = [AppShare(topic: "com.example.app", share: 1)]
    /// The Firebase project that the FCM devices belong to.
    package var project = "example-project"
    /// The share of APNs tokens longer than 64 hexadecimal characters.
    package var longTokenShare = 0.0
    /// The longest APNs token in characters: even, 64 to 200.
    package var longestToken = 200
    package var defects = DefectShares()
    /// A CSV file of devices; size, mix, apps, token shapes and defects then come from its rows.
    package var csv: String?
    /// What becomes of APNs devices whose token has no APNs token's shape.
    package var misshapen = MisshapenTokens.send

    package init() {}
}

/// What becomes of an APNs device whose token is not 64 to 200 hexadecimal digits, an even number of them.
package enum MisshapenTokens: String, Sendable, Equatable, CaseIterable {
    /// It is sent to, and the host says no.
    case send
    /// It goes to the FCM lane, where the app registered with FCM; only for fleets from CSV.
    case fcm
    /// Its pushes are skipped.
    case refuse
}

/// One lane's part of the fleet.
package struct LaneShare: Sendable, Equatable {
    package var lane: String
    package var share: Double

    package init(lane: String, share: Double) {
        self.lane = lane
        self.share = share
    }
}

/// One app's part of the fleet: a bundle identifier (the APNs topic) and its share of the devices.
package struct AppShare: Sendable, Equatable {
    package var topic: String
    package var share: Double
    /// `production` or `sandbox`: that of the app's APNs devices in a CSV file that says nothing of theirs.
    package var environment: String?

    package init(topic: String, share: Double) {
        self.topic = topic
        self.share = share
    }
}

/// The share of the devices that have each defect; shares sum to 1 at most.
///
/// A defect that makes no sense for a device's lane is left out there.
package struct DefectShares: Sendable, Equatable {
    package var unregistered = 0.0
    package var wrongEnvironment = 0.0
    package var malformed = 0.0
    package var wrongTopic = 0.0
    package var otherSender = 0.0

    package init() {}
}
