/// A field of a fleet's description that makes no sense.
package struct FleetSpecificationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The field's path below `fleet`, as in a profile: `apps[0].topic`.
    package let field: String
    /// What was given.
    package let value: String
    /// What would have been accepted.
    package let allowed: String

    package var description: String { "\(field): \(value) is not allowed here; give \(allowed)" }
}

/// Everything that decides what a generated fleet looks like.
///
/// Two equal specifications give the same fleet, device by device, on every machine.
package struct FleetSpecification: Sendable, Equatable {
    /// An app that devices have installed.
    package struct App: Sendable, Equatable {
        /// The bundle id (APNs topic) or package name.
        package let topic: String
        /// The app's part of the devices, relative to the other apps' weights.
        package let weight: Double

        package init(topic: String, weight: Double = 1) {
            self.topic = topic
            self.weight = weight
        }
    }

    /// The share of devices with each defect, 0 to 1, among the devices of the providers that can have it.
    package struct Defects: Sendable, Equatable {
        package var unregistered: Double
        package var wrongEnvironment: Double
        package var malformed: Double
        package var wrongTopic: Double
        package var otherSender: Double

        package init(
            unregistered: Double = 0,
            wrongEnvironment: Double = 0,
            malformed: Double = 0,
            wrongTopic: Double = 0,
            otherSender: Double = 0
        ) {
            self.unregistered = unregistered
            self.wrongEnvironment = wrongEnvironment
            self.malformed = malformed
            self.wrongTopic = wrongTopic
            self.otherSender = otherSender
        }

        /// The share of one defect; `none` is whatever the others leave and has no share of its own.
        package subscript(defect: Defect) -> Double {
            switch defect {
            case .none: 0
            case .unregistered: unregistered
            case .wrongEnvironment: wrongEnvironment
            case .malformed: malformed
            case .wrongTopic: wrongTopic
            case .otherSender: otherSender
            }
        }
    }

    /// The most devices a fleet may have.
    package static let largestSize: UInt64 = 1_000_000_000_000
    /// The most apps a fleet may have.
    package static let mostApps = 1000

    package let seed: UInt64
    /// How many devices there are.
    package let size: UInt64
    package let weights: LaneWeights
    package let apps: [App]
    /// The FCM project (or sender) that FCM tokens were issued for.
    package let project: String
    /// The part of APNs tokens that is longer than 64 characters, 0 to 1.
    package let longTokenShare: Double
    /// The longest APNs token in characters: even, 64 to 200.
    ///
    /// Long tokens have any even length up to it.
    package let longestToken: Int
    package let defects: Defects

    /// - Throws: the first field that is out of range.
    package init(
        seed: UInt64,
        size: UInt64,
        weights: LaneWeights = .mixed,
        apps: [App] = [App(topic: "com.example.app")],
        project: String = "example-project",
        longTokenShare: Double = 0,
        longestToken: Int = 64,
        defects: Defects = Defects()
    ) throws(FleetSpecificationError) {
        self.seed = seed
        self.size = size
        self.weights = weights
        self.apps = apps
        self.project = project
        self.longTokenShare = longTokenShare
        self.longestToken = longestToken
        self.defects = defects
        try checkSize()
        try checkApps()
        try checkTokenLengths()
        try checkDefects()
    }
}

extension FleetSpecification {
    private func checkSize() throws(FleetSpecificationError) {
        guard (1...Self.largestSize).contains(size) else {
            throw .init(field: "size", value: "\(size)", allowed: "1 to \(Self.largestSize) devices")
        }
    }

    private func checkApps() throws(FleetSpecificationError) {
        guard (1...Self.mostApps).contains(apps.count) else {
            throw .init(field: "apps", value: "\(apps.count) apps", allowed: "1 to \(Self.mostApps) apps")
        }
        for (position, app) in apps.enumerated() {
            guard AppName.isAllowed(app.topic) else {
                throw .init(field: "apps[\(position)].topic", value: "\"\(app.topic)\"", allowed: AppName.allowed)
            }
            guard app.weight > 0, app.weight <= 1e9 else {
                let allowed = "a share above 0, at most 1e9"
                throw .init(field: "apps[\(position)].share", value: "\(app.weight)", allowed: allowed)
            }
            if apps[..<position].contains(where: { $0.topic == app.topic }) {
                let allowed = "each topic once"
                throw .init(field: "apps[\(position)].topic", value: "\"\(app.topic)\"", allowed: allowed)
            }
        }
        guard AppName.isAllowed(project) else {
            throw .init(field: "project", value: "\"\(project)\"", allowed: AppName.allowed)
        }
    }

    private func checkTokenLengths() throws(FleetSpecificationError) {
        guard (0...1).contains(longTokenShare) else {
            throw .init(field: "longTokenShare", value: "\(longTokenShare)", allowed: "a share from 0 to 1")
        }
        guard TokenShape.apnsLengths.contains(longestToken), longestToken.isMultiple(of: 2) else {
            throw .init(field: "longestToken", value: "\(longestToken)", allowed: "an even number from 64 to 200")
        }
        guard longTokenShare == 0 || longestToken > TokenShape.apnsLengths.lowerBound else {
            let allowed = "more than 64, or longTokenShare 0"
            throw .init(field: "longestToken", value: "\(longestToken)", allowed: allowed)
        }
    }

    private func checkDefects() throws(FleetSpecificationError) {
        for defect in Defect.allCases where !(0...1).contains(defects[defect]) {
            let field = "defects.\(defect.name)"
            throw .init(field: field, value: "\(defects[defect])", allowed: "a share from 0 to 1")
        }
        for provider in Provider.allCases {
            let sum = Defect.allCases.filter { $0.applies(to: provider) }.reduce(0) { $0 + defects[$1] }
            guard sum <= 1 + 1e-9 else {
                let allowed = "defects of one provider that add up to at most 1"
                throw .init(field: "defects", value: "a sum of \(sum) for \(provider.name)", allowed: allowed)
            }
        }
    }
}

/// What may stand for an app or a project: it travels in HTTP headers, paths and CSV, so it stays plain.
enum AppName {
    static let allowed = "1 to 155 letters, digits, or . - _ : characters"

    static func isAllowed(_ name: String) -> Bool { isAllowed(name.utf8) }

    static func isAllowed(_ name: some Collection<UInt8>) -> Bool {
        (1...155).contains(name.count) && name.allSatisfy(isAllowed(byte:))
    }

    private static func isAllowed(byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
        default: false
        }
    }
}
