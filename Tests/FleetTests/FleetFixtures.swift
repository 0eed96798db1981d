import Testing

@testable import Fleet

/// Specifications that the tests of this room share.
enum Fixture {
    static let apps: [FleetSpecification.App] = [
        .init(topic: "com.example.app", weight: 3),
        .init(topic: "com.example.other", weight: 1),
    ]

    static let everyDefect = FleetSpecification.Defects(
        unregistered: 0.02,
        wrongEnvironment: 0.01,
        malformed: 0.03,
        wrongTopic: 0.015,
        otherSender: 0.025
    )

    static func fleet(
        seed: UInt64 = 42,
        size: UInt64 = 100_000,
        weights: LaneWeights = .mixed,
        longTokenShare: Double = 0,
        longestToken: Int = 64,
        defects: FleetSpecification.Defects = .init()
    ) throws -> Fleet {
        Fleet(
            try FleetSpecification(
                seed: seed,
                size: size,
                weights: weights,
                apps: apps,
                project: "example-project",
                longTokenShare: longTokenShare,
                longestToken: longestToken,
                defects: defects
            )
        )
    }

    static func weights(_ production: Double, _ sandbox: Double, _ fcm: Double) throws -> LaneWeights {
        try LaneWeights(shares: PerLane(apnsProduction: production, apnsSandbox: sandbox, fcm: fcm))
    }
}

/// A token's text.
func token(of device: Device, in fleet: Fleet) -> [UInt8] {
    var text = [UInt8](repeating: 0, count: Fleet.maximumTokenLength)
    let length = text.withUnsafeMutableBytes { fleet.writeToken(of: device, into: $0) }
    return Array(text.prefix(length))
}

func mark(_ token: [UInt8]) -> TokenMark? { token.withUnsafeBytes { TokenMark(token: $0) } }
func isAPNs(_ token: [UInt8]) -> Bool { token.withUnsafeBytes { TokenShape.isAPNs($0) } }
func isFCM(_ token: [UInt8]) -> Bool { token.withUnsafeBytes { TokenShape.isFCM($0) } }
