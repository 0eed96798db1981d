/// A push service.
package enum Provider: UInt8, Sendable, CaseIterable {
    case apns
    case fcm

    /// The word used in fleet files and results.
    package var name: String {
        switch self {
        case .apns: "apns"
        case .fcm: "fcm"
        }
    }
}

/// Which of a service's two worlds a device token belongs to.
///
/// APNs keeps production and sandbox (development) tokens apart and refuses one in the other's place with
/// `BadDeviceToken`. FCM knows no such split: its devices count as `production`.
package enum Environment: UInt8, Sendable, CaseIterable {
    case production
    case sandbox

    /// The word used in fleet files and results.
    package var name: String {
        switch self {
        case .production: "production"
        case .sandbox: "sandbox"
        }
    }

    /// The other environment.
    var other: Environment {
        switch self {
        case .production: .sandbox
        case .sandbox: .production
        }
    }
}

/// A provider together with an environment: where a device's pushes go.
package enum FleetLane: UInt8, Sendable, CaseIterable {
    case apnsProduction
    case apnsSandbox
    case fcm

    /// The lane's name in profiles, files and results.
    package var name: String {
        switch self {
        case .apnsProduction: "apns-production"
        case .apnsSandbox: "apns-sandbox"
        case .fcm: "fcm"
        }
    }

    package var provider: Provider {
        switch self {
        case .apnsProduction, .apnsSandbox: .apns
        case .fcm: .fcm
        }
    }

    /// The environment; FCM has only one.
    package var environment: Environment {
        switch self {
        case .apnsProduction, .fcm: .production
        case .apnsSandbox: .sandbox
        }
    }

    /// The lane of that name, or nil if there is none.
    package init?(name: String) {
        guard let lane = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = lane
    }
}

/// One value for each lane, stored in place.
package struct PerLane<Value> {
    package var apnsProduction: Value
    package var apnsSandbox: Value
    package var fcm: Value

    package init(apnsProduction: Value, apnsSandbox: Value, fcm: Value) {
        self.apnsProduction = apnsProduction
        self.apnsSandbox = apnsSandbox
        self.fcm = fcm
    }

    /// The same value for every lane.
    package init(repeating value: Value) {
        self.init(apnsProduction: value, apnsSandbox: value, fcm: value)
    }

    package subscript(lane: FleetLane) -> Value {
        @inline(__always) get {
            switch lane {
            case .apnsProduction: apnsProduction
            case .apnsSandbox: apnsSandbox
            case .fcm: fcm
            }
        }
        @inline(__always) _modify {
            switch lane {
            case .apnsProduction: yield &apnsProduction
            case .apnsSandbox: yield &apnsSandbox
            case .fcm: yield &fcm
            }
        }
    }
}

extension PerLane: Sendable where Value: Sendable {}
extension PerLane: Equatable where Value: Equatable {}
