/// Spreads the lanes evenly over the fleet, both ways in constant time and without memory per device.
///
/// With weights that add up to W, every block of W devices holds each lane exactly as often as its weight says.
/// Within block b, device r stands at place
///
///     p = (a r + c_b) mod W
///
/// and a lane owns the places from its first up to the next lane's. `a` is prime to W and near 0.618 W, which keeps
/// a lane's devices apart; `c_b` is drawn from the seed, so that blocks differ. Both are invertible, hence the j-th
/// device of a lane is found by arithmetic as well: block j / w, place first + j mod w, r = a^-1 (p - c_b) mod W.
/// Only the last block, if it is cut short, needs a table.
struct LaneInterleaving: Sendable {
    private let size: UInt64
    private let key: UInt64
    private let block: UInt32
    private let step: UInt32
    private let inverse: UInt32
    private let firstPlaces: PerLane<UInt32>
    private let widths: PerLane<UInt32>
    private let wholeBlocks: UInt64
    /// Of the last block, if it is not whole: for each lane the positions within the block, ascending.
    private let rest: PerLane<[UInt16]>

    /// How many devices each lane has.
    let counts: PerLane<UInt64>

    init(weights: LaneWeights, size: UInt64, key: UInt64) {
        let block = UInt32(weights.total)
        self.size = size
        self.key = key
        self.block = block
        (step, inverse) = Self.steps(modulo: block)
        widths = PerLane(
            apnsProduction: UInt32(weights[.apnsProduction]),
            apnsSandbox: UInt32(weights[.apnsSandbox]),
            fcm: UInt32(weights[.fcm])
        )
        firstPlaces = PerLane(
            apnsProduction: 0,
            apnsSandbox: widths.apnsProduction,
            fcm: widths.apnsProduction + widths.apnsSandbox
        )
        wholeBlocks = size / UInt64(block)

        var rest = PerLane<[UInt16]>(repeating: [])
        let shift = Self.shift(ofBlock: wholeBlocks, key: key, block: block)
        for position in 0..<UInt32(size % UInt64(block)) {
            let place = (step * position + shift) % block
            rest[Self.lane(atPlace: place, firstPlaces)].append(UInt16(position))
        }
        self.rest = rest
        var counts = PerLane<UInt64>(repeating: 0)
        for lane in FleetLane.allCases {
            counts[lane] = wholeBlocks * UInt64(widths[lane]) + UInt64(rest[lane].count)
        }
        self.counts = counts
    }

    /// The lane of a device.
    @inline(__always)
    func lane(of index: UInt64) -> FleetLane {
        let (number, position) = index.quotientAndRemainder(dividingBy: UInt64(block))
        let shift = Self.shift(ofBlock: number, key: key, block: block)
        let place = (step &* UInt32(truncatingIfNeeded: position) &+ shift) % block
        return Self.lane(atPlace: place, firstPlaces)
    }

    /// The index of a lane's device number `ordinal`, which must be below the lane's count.
    @inline(__always)
    func index(lane: FleetLane, ordinal: UInt64) -> UInt64 {
        let width = widths[lane]
        let (number, turn) = ordinal.quotientAndRemainder(dividingBy: UInt64(width))
        if number >= wholeBlocks {
            return wholeBlocks &* UInt64(block) &+ UInt64(rest[lane][Int(ordinal &- wholeBlocks &* UInt64(width))])
        }
        let place = firstPlaces[lane] &+ UInt32(truncatingIfNeeded: turn)
        let shift = Self.shift(ofBlock: number, key: key, block: block)
        let position = (inverse &* ((place &+ block &- shift) % block)) % block
        return number &* UInt64(block) &+ UInt64(position)
    }

    /// The number of a device within its lane: the inverse of ``index(lane:ordinal:)``.
    func ordinal(of index: UInt64) -> UInt64 {
        let (number, position) = index.quotientAndRemainder(dividingBy: UInt64(block))
        let lane = lane(of: index)
        let before = number * UInt64(widths[lane])
        if number >= wholeBlocks {
            return before + UInt64(rest[lane].prefix { $0 < position }.count)
        }
        let shift = Self.shift(ofBlock: number, key: key, block: block)
        let place = (step &* UInt32(truncatingIfNeeded: position) &+ shift) % block
        return before + UInt64(place - firstPlaces[lane])
    }

    /// Where block `number` starts its round: below `block`.
    @inline(__always)
    private static func shift(ofBlock number: UInt64, key: UInt64, block: UInt32) -> UInt32 {
        scale(UInt32(truncatingIfNeeded: mix64(key &+ number &* goldenGamma) &>> 32), below: block)
    }

    @inline(__always)
    private static func lane(atPlace place: UInt32, _ firstPlaces: PerLane<UInt32>) -> FleetLane {
        if place >= firstPlaces.fcm { return .fcm }
        return place >= firstPlaces.apnsSandbox ? .apnsSandbox : .apnsProduction
    }

    /// A multiplier near 0.618 of the modulus that has an inverse, and that inverse.
    ///
    /// Products stay below 2^32 because the modulus is at most 10,000.
    private static func steps(modulo block: UInt32) -> (step: UInt32, inverse: UInt32) {
        guard block > 1 else { return (0, 0) }
        var step = max(1, UInt32(Double(block) * 0.618))
        while greatestCommonDivisor(step, block) != 1 { step += 1 }
        guard let inverse = (1...block).first(where: { step * $0 % block == 1 % block }) else {
            preconditionFailure("\(step) is prime to \(block) and yet has no inverse")
        }
        return (step, inverse)
    }

    private static func greatestCommonDivisor(_ a: UInt32, _ b: UInt32) -> UInt32 {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
