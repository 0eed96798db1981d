/// The arrivals of a Poisson process that are known to be `count`, each computable without those before it.
///
/// Such arrivals are `count` independent uniform points in order. They are laid out as a tree: the point in the middle of
/// a run of points divides the run's span in a Beta-distributed proportion, so each half can be divided again without
/// knowing the other. Below ``leafSize`` points a run is filled with exponentially distributed gaps, scaled to its span.
/// Both steps are exact for the process, not approximations of it. Every random number comes from the seed and the place
/// in the tree, so any worker finds the same points in any order.
///
/// Points are positions within the whole in units of 1 / 2^62. For a changing rate a position is a part of the area under
/// the rate, which makes the process follow the rate.
package struct PoissonTimes: Sendable {
    static let positionBits = 62
    /// The points of a leaf; the last leaf has up to twice as many.
    static let leafSize: UInt64 = 256
    static let largestLeaf = Int(2 * leafSize)

    private let seed: UInt64
    private let count: UInt64
    private let leaves: UInt64

    init(seed: UInt64, count: UInt64) {
        self.seed = seed
        self.count = count
        leaves = max(1, (count + 1) / Self.leafSize)
    }

    /// The leaf that a point belongs to.
    func leaf(of n: UInt64) -> UInt64 { min(n / Self.leafSize, leaves - 1) }

    /// The first point of a leaf.
    func first(ofLeaf leaf: UInt64) -> UInt64 { leaf * Self.leafSize }

    /// The position of one point; for looking things up, since it fills the whole leaf.
    func position(of n: UInt64) -> UInt64 {
        var positions = [UInt64](repeating: 0, count: Self.largestLeaf)
        let leaf = leaf(of: n)
        fill(&positions, leaf: leaf)
        return positions[Int(n - first(ofLeaf: leaf))]
    }

    /// How many points hold `isDue`, which holds up to some position and not beyond.
    func count(where isDue: (UInt64) -> Bool) -> UInt64 {
        var positions = [UInt64](repeating: 0, count: Self.largestLeaf)
        // When the point at a border is due, so are all before it.
        let span = self.span { _, position in isDue(position) }
        let size = fill(&positions, span: span)
        return span.begin + UInt64(positions[..<size].prefix(while: isDue).count)
    }

    /// Writes the positions of a leaf's points, in rising order; returns how many they are.
    @discardableResult
    func fill(_ positions: inout [UInt64], leaf: UInt64) -> Int {
        let first = first(ofLeaf: leaf)
        return fill(&positions, span: span { border, _ in border <= first })
    }

    private func fill(_ positions: inout [UInt64], span: Span) -> Int {
        let gaps = Int(span.end - span.begin)
        var random = stream(span.begin, 0)
        var sum = 0.0
        // Sums of gaps are kept as bit patterns until the whole is known and they can be scaled.
        for index in 0..<gaps {
            sum -= naturalLogarithm((Double(random.next() >> 11) + 0.5) * 0x1p-53)
            positions[index] = sum.bitPattern
        }
        let scale = Double(span.high - span.low) / sum
        for index in 0..<gaps {
            let distance = UInt64(Double(bitPattern: positions[index]) * scale)
            positions[index] = min(span.low + distance, span.high)
        }
        // The last gap ends at the leaf's own border, which is a point except at the very end.
        positions[gaps - 1] = span.high
        return span.end > count ? gaps - 1 : gaps
    }
}

// MARK: - The tree

extension PoissonTimes {
    /// A run of points with the positions of its borders.
    ///
    /// Border b is point b - 1; border 0 is the beginning of the whole, and border `count + 1` its end.
    private struct Span {
        var begin: UInt64
        var end: UInt64
        var low: UInt64
        var high: UInt64
    }

    /// Descends from the whole to a leaf; at each division `goesRight` is told the border and its position.
    private func span(_ goesRight: (UInt64, UInt64) -> Bool) -> Span {
        var span = Span(begin: 0, end: count + 1, low: 0, high: 1 << Self.positionBits)
        var (first, end) = (UInt64(0), leaves)
        while end - first > 1 {
            let middle = (first + end) / 2
            let border = middle * Self.leafSize
            var random = stream(first, end)
            let share = random.beta(Double(border - span.begin), Double(span.end - border))
            let width = span.high - span.low
            let position = span.low + min(width, UInt64(share * Double(width)))
            if goesRight(border, position) {
                (first, span.begin, span.low) = (middle, border, position)
            } else {
                (end, span.end, span.high) = (middle, border, position)
            }
        }
        return span
    }

    /// The random numbers of a place in the tree: of the leaf with a first point (and 0), or of the division of leaves
    /// `first..<end`.
    private func stream(_ first: UInt64, _ end: UInt64) -> RandomStream {
        RandomStream(seed: scramble(scramble(seed ^ first) &+ end))
    }
}

extension RandomStream {
    /// A Beta-distributed number for parameters above 1.
    ///
    /// Source: R. C. H. Cheng, "Generating Beta Variates with Nonintegral Shape Parameters", Communications of the ACM 21
    /// (1978), algorithm BB.
    mutating func beta(_ first: Double, _ second: Double) -> Double {
        let (a, b) = (min(first, second), max(first, second))
        let alpha = a + b
        let beta = ((alpha - 2) / (2 * a * b - alpha)).squareRoot()
        let gamma = a + 1 / beta
        while true {
            let u1 = (Double(next() >> 11) + 0.5) * 0x1p-53
            let u2 = (Double(next() >> 11) + 0.5) * 0x1p-53
            let v = beta * naturalLogarithm(u1 / (1 - u1))
            let w = a * exponential(v)
            let z = u1 * u1 * u2
            let r = gamma * v - 1.386_294_361_119_890_6
            let accepted =
                a + r - w + 2.609_437_912_434_100_4 >= 5 * z
                || r + alpha * naturalLogarithm(alpha / (b + w)) >= naturalLogarithm(z)
            if accepted { return a == first ? w / (b + w) : b / (b + w) }
        }
    }
}
