/// Decides, from a device's own random state, its app, defect and token length.
///
/// Each decision has its own bits of the state, from the lowest up: 24 for the defect, 20 for the app, 20 for the
/// length. So changing one share of the specification leaves the others' outcomes as they were.
struct DeviceTraits: Sendable {
    private let defects: PerLane<DefectTable>
    /// Above this bound on the defect bits no lane's device has a defect.
    private let defectiveBound: UInt32
    /// For each app, the bound below which the app bits mean this app or one before it.
    private let apps: [UInt32]
    /// The app for each value of the top ten app bits, the others being zero.
    private let appGuide: [UInt16]
    private let longTokens: UInt32
    private let longLengths: UInt32

    private static let defectBits: UInt64 = 24
    private static let appBits: UInt64 = 20
    private static let lengthBits: UInt64 = 20
    private static let guideShift: UInt32 = 10

    init(_ specification: FleetSpecification) {
        let apns = DefectTable(specification.defects, provider: .apns, bits: Self.defectBits)
        let fcm = DefectTable(specification.defects, provider: .fcm, bits: Self.defectBits)
        defects = PerLane(apnsProduction: apns, apnsSandbox: apns, fcm: fcm)
        defectiveBound = max(apns.bound, fcm.bound)
        let apps = Self.bounds(ofApps: specification.apps)
        self.apps = apps
        appGuide = (0..<UInt32(1) << (UInt32(Self.appBits) - Self.guideShift))
            .map { value in
                UInt16(apps.count { $0 <= value << Self.guideShift })
            }
        longTokens = threshold(specification.longTokenShare, bits: Self.lengthBits)
        longLengths = UInt32((specification.longestToken - TokenShape.apnsLengths.lowerBound) / 2)
    }

    private static func bounds(ofApps apps: [FleetSpecification.App]) -> [UInt32] {
        let sum = apps.reduce(0) { $0 + $1.weight }
        var total = 0.0
        var bounds = apps.map { app in
            total += app.weight
            return threshold(min(1, total / sum), bits: appBits)
        }
        // Whatever the rounding: some app takes every value.
        bounds[apps.count - 1] = 1 << appBits
        return bounds
    }

    /// The device with that index and random state.
    @inline(__always)
    func device(index: UInt64, lane: FleetLane, key: UInt64) -> Device {
        let app = app(bits(Self.appBits, of: key, above: Self.defectBits))
        let length = tokenLength(lane, key: key)
        if bits(Self.defectBits, of: key, above: 0) < defectiveBound {
            return defective(index: index, lane: lane, app: app, tokenLength: length, key: key)
        }
        return Device(index: index, lane: lane, defect: .none, app: app, tokenLength: length, key: key)
    }

    /// The uncommon case, kept out of the way of the common one.
    @inline(never)
    private func defective(index: UInt64, lane: FleetLane, app: Int, tokenLength: Int, key: UInt64) -> Device {
        let defect = defects[lane].defect(bits(Self.defectBits, of: key, above: 0))
        var length = tokenLength
        if defect == .malformed { length = Malformation(key: key).length(of: length, lane.provider) }
        return Device(index: index, lane: lane, defect: defect, app: app, tokenLength: length, key: key)
    }

    /// The first app whose bound is above the random bits: the last app's always is.
    ///
    /// The guide leads to it or just before it, so that there is hardly ever a step, let alone a search, whose
    /// branches could not be predicted.
    @inline(__always)
    private func app(_ random: UInt32) -> Int {
        var app = Int(appGuide[Int(random &>> Self.guideShift)])
        while random >= apps[app] { app &+= 1 }
        return app
    }

    @inline(__always)
    private func tokenLength(_ lane: FleetLane, key: UInt64) -> Int {
        let random = bits(Self.lengthBits, of: key, above: Self.defectBits + Self.appBits)
        if lane == .fcm {
            let lengths = TokenShape.generatedFCMLengths
            return lengths.lowerBound &+ Int((random &* UInt32(lengths.count)) &>> UInt32(Self.lengthBits))
        }
        let shortest = TokenShape.apnsLengths.lowerBound
        return random < longTokens ? longLength(key: key) : shortest
    }

    private func longLength(key: UInt64) -> Int {
        let extra = scale(UInt32(truncatingIfNeeded: mix64(key)), below: longLengths)
        return TokenShape.apnsLengths.lowerBound + 2 + 2 * Int(extra)
    }

    @inline(__always)
    private func bits(_ count: UInt64, of key: UInt64, above low: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: (key &>> low) & (1 &<< count &- 1))
    }
}

/// A share of 0 to 1 as a bound on that many random bits: they are below it with that probability.
private func threshold(_ share: Double, bits: UInt64) -> UInt32 { UInt32(share * Double(1 &<< bits) + 0.5) }

/// The defects of one provider's devices as cumulative bounds on random bits.
private struct DefectTable: Sendable {
    private let unregistered: UInt32
    private let wrongEnvironment: UInt32
    private let malformed: UInt32
    private let wrongTopic: UInt32
    private let otherSender: UInt32

    init(_ shares: FleetSpecification.Defects, provider: Provider, bits: UInt64) {
        var total = 0.0
        func bound(after defect: Defect) -> UInt32 {
            if defect.applies(to: provider) { total = min(1, total + shares[defect]) }
            return threshold(total, bits: bits)
        }
        unregistered = bound(after: .unregistered)
        wrongEnvironment = bound(after: .wrongEnvironment)
        malformed = bound(after: .malformed)
        wrongTopic = bound(after: .wrongTopic)
        otherSender = bound(after: .otherSender)
    }

    /// Random bits from here up mean no defect.
    var bound: UInt32 { otherSender }

    func defect(_ random: UInt32) -> Defect {
        if random >= otherSender { return .none }
        if random < unregistered { return .unregistered }
        if random < wrongEnvironment { return .wrongEnvironment }
        if random < malformed { return .malformed }
        return random < wrongTopic ? .wrongTopic : .otherSender
    }
}
