import Testing

@testable import Fleet

@Suite struct LaneWeightsTests {
    @Test(
        arguments: [
            ((0.45, 0.05, 0.5), [9, 1, 10]), ((45, 5, 50), [9, 1, 10]), ((1, 1, 1), [1, 1, 1]),
            ((0, 0, 0.3), [0, 0, 1]),
            ((0.1, 0.2, 0.7), [1, 2, 7]), ((0.3333, 0.3333, 0.3334), [3333, 3333, 3334]),
            ((0.9999, 0, 0.0001), [9999, 0, 1]), ((1.0 / 3, 2.0 / 3, 0), [1, 2, 0]),
        ] as [((Double, Double, Double), [Int])]
    )
    func sharesBecomeTheSmallestWeights(shares: (Double, Double, Double), expected: [Int]) throws {
        let weights = try Fixture.weights(shares.0, shares.1, shares.2)
        #expect(FleetLane.allCases.map { weights[$0] } == expected)
        #expect(weights.total == expected.reduce(0, +))
    }

    @Test(
        arguments: [
            ((0, 0, 0), "mix: no devices is not allowed here; give at least one lane with a share above 0"),
            ((1, -0.5, 1), "mix.apns-sandbox: -0.5 is not allowed here; give a share of 0 or more"),
            ((1, 1, .nan), "mix.fcm: nan is not allowed here; give a share of 0 or more"),
            ((.infinity, 1, 1), "mix.apns-production: inf is not allowed here; give a share of 0 or more"),
            (
                (0.12345, 0.5, 0.37655),
                "mix: apns-production=0.12345, apns-sandbox=0.5, fcm=0.37655 is not allowed here; "
                    + "give shares that are whole multiples of 0.01% of their sum"
            ),
        ] as [((Double, Double, Double), String)]
    )
    func impossibleSharesAreRefused(shares: (Double, Double, Double), message: String) {
        let error = #expect(throws: FleetSpecificationError.self) {
            try Fixture.weights(shares.0, shares.1, shares.2)
        }
        #expect(error?.description == message)
    }
}

@Suite struct FleetSpecificationTests {
    struct Case: Sendable {
        var size: UInt64 = 10
        var apps: [FleetSpecification.App] = [.init(topic: "com.example.app")]
        var project = "example-project"
        var longTokenShare = 0.0
        var longestToken = 64
        var defects = FleetSpecification.Defects()

        func specification() throws -> FleetSpecification {
            try FleetSpecification(
                seed: 1,
                size: size,
                apps: apps,
                project: project,
                longTokenShare: longTokenShare,
                longestToken: longestToken,
                defects: defects
            )
        }
    }

    @Test(arguments: [
        (Case(size: 0), "size: 0 is"), (Case(size: 1_000_000_000_001), "size: 1000000000001 is"),
        (Case(apps: []), "apps: 0 apps is"), (Case(apps: [.init(topic: "")]), "apps[0].topic: \"\" is"),
        (Case(apps: [.init(topic: "a"), .init(topic: "a b")]), "apps[1].topic: \"a b\" is"),
        (Case(apps: [.init(topic: "a"), .init(topic: "a")]), "apps[1].topic: \"a\" is"),
        (Case(apps: [.init(topic: "a", weight: 0)]), "apps[0].share: 0.0 is"),
        (Case(apps: [.init(topic: "a", weight: .nan)]), "apps[0].share: nan is"),
        (Case(apps: [.init(topic: String(repeating: "a", count: 156))]), "apps[0].topic: "),
        (Case(project: "a/b"), "project: \"a/b\" is"), (Case(longTokenShare: 1.5), "longTokenShare: 1.5 is"),
        (Case(longTokenShare: 0.5), "longestToken: 64 is"), (Case(longestToken: 65), "longestToken: 65 is"),
        (Case(longestToken: 202), "longestToken: 202 is"), (Case(longestToken: 62), "longestToken: 62 is"),
        (Case(defects: .init(unregistered: -0.1)), "defects.unregistered: -0.1 is"),
        (Case(defects: .init(otherSender: 1.1)), "defects.otherSender: 1.1 is"),
        (Case(defects: .init(unregistered: 0.6, wrongTopic: 0.6)), "defects: a sum of 1.2 for apns is"),
        (Case(defects: .init(malformed: 0.6, otherSender: 0.6)), "defects: a sum of 1.2 for fcm is"),
    ])
    func nonsenseIsRefused(wrong: Case, message: String) {
        let error = #expect(throws: FleetSpecificationError.self) { try wrong.specification() }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func extremesAreAccepted() throws {
        let apps = (0..<1000).map { FleetSpecification.App(topic: "app-\($0)", weight: 1e-6) }
        var extreme = Case(size: FleetSpecification.largestSize, apps: apps, longTokenShare: 1, longestToken: 200)
        extreme.defects = .init(unregistered: 1)
        let fleet = Fleet(try extreme.specification())
        let last = fleet.device(at: fleet.size - 1)
        #expect(last.defect == .unregistered)
        #expect(Set((0..<20_000).map { fleet.device(at: $0).app }) == Set(0..<1000))
    }
}
