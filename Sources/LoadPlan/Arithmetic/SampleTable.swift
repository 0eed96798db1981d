/// A distribution made ready for very many samples, as a simulation takes them: what would cost much arithmetic for each
/// value is read from a table.
///
/// The probabilities are cut into octaves towards either end, as far as one in 4,096, and each octave into equal cells; in
/// each cell a cubic runs through four exact values. Beyond the last octave, and for distributions that need no table, the
/// values are ``Sampler``'s own. What is read differs from the exact value by less than a part in 10^8, or by a nanosecond
/// where it falls on the border between two, and equal seeds give equal times on every machine: all arithmetic is exact to
/// the bit everywhere.
package struct SampleTable: Sendable {
    private struct Cell: BitwiseCopyable {
        var c0 = 0.0
        var c1 = 0.0
        var c2 = 0.0
        var c3 = 0.0

        /// The cubic that has these values at 0, 1/3, 2/3 and 1.
        init(_ v0: Double, _ v1: Double, _ v2: Double, _ v3: Double) {
            c0 = v0
            c1 = (-11 * v0 + 18 * v1 - 9 * v2 + 2 * v3) / 2
            c2 = (18 * v0 - 45 * v1 + 36 * v2 - 9 * v3) / 2
            c3 = (-9 * v0 + 27 * v1 - 27 * v2 + 9 * v3) / 2
        }

        @inline(__always)
        func value(at t: Double) -> Double { c0 + t * (c1 + t * (c2 + t * c3)) }
    }

    private static let octaves = 11
    private static let cellBits = 6
    /// With a p99 of so many times the median or more, a cubic is no longer good enough.
    private static let widest: Int64 = 10

    private let sampler: Sampler
    /// By octave from the middle outwards, lower half first; empty for a distribution that needs no table.
    private let cells: [Cell]

    package init(_ distribution: Distribution) {
        let sampler = distribution.sampler
        self.sampler = sampler
        guard case .lognormal(let median, let p99) = distribution, p99 / median < Self.widest else {
            cells = []
            return
        }
        var cells: [Cell] = []
        for octave in 1...Self.octaves {
            for isUpper in [false, true] {
                for cell in 0..<1 << Self.cellBits {
                    let values = (0...3)
                        .map { third in
                            sampler.value(atProbability: Self.probability(octave, cell, Double(third) / 3, isUpper))
                        }
                    cells.append(Cell(values[0], values[1], values[2], values[3]))
                }
            }
        }
        self.cells = cells
    }

    /// How far along an octave of the lower half a place in a cell is; of the upper half, the same from the other end.
    private static func probability(_ octave: Int, _ cell: Int, _ t: Double, _ isUpper: Bool) -> Double {
        let start = (0..<octave + 1).reduce(1.0) { share, _ in share / 2 }
        let lower = start * (1 + (Double(cell) + t) / Double(1 << cellBits))
        return isUpper ? 1 - lower : lower
    }

    /// The value for uniformly random `bits`.
    package func sample(_ bits: UInt64) -> Int64 {
        let isUpper = Int64(bitPattern: bits) < 0
        // From the nearer end.
        let distance = isUpper ? ~bits : bits
        let octave = distance.leadingZeroBitCount
        guard octave <= Self.octaves, !cells.isEmpty else { return sampler.sample(bits) }
        // The leading one is shifted out.
        let rest = distance << UInt64(octave &+ 1)
        let cell = Int(rest >> UInt64(64 - Self.cellBits))
        let t = Double((rest << UInt64(Self.cellBits)) >> 12) * 0x1p-52
        let half = 2 * (octave &- 1) + (isUpper ? 1 : 0)
        return Int64(cells[half << Self.cellBits | cell].value(at: t) + 0.5)
    }
}
