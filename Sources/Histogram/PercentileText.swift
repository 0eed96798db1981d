extension BucketCounts {
    /// The distribution as `.hgrm` text, as HdrHistogram's `outputPercentileDistribution` writes it and its plotter reads.
    ///
    /// Five lines for every halving of the distance to 100%. Values are shown in units of `unit` nanoseconds (milliseconds
    /// unless told otherwise); mean and maximum are exact, not those of buckets.
    package func percentileText(unit: Double = 1_000_000) -> String {
        var lines = ["       Value     Percentile TotalCount 1/(1-Percentile)", ""]
        forEachPercentileStep(ticksPerHalfDistance: 5) { step in
            lines.append(step.line(unit: unit))
        }
        lines.append("#[Mean    = \(column(mean / unit)), StdDeviation   = \(column(standardDeviation / unit))]")
        lines.append("#[Max     = \(column(Double(max) / unit)), Total count    = \(column(count))]")
        // Buckets in the reference's words are powers of two; it needs 37 of them to cover 24 h.
        lines.append("#[Buckets = \(column(UInt64(37))), SubBuckets     = \(column(UInt64(2_048)))]")
        return lines.joined(separator: "\n") + "\n"
    }

    private func column(_ value: Double) -> String {
        FixedDecimal.text(value, digits: 3).leftPadded(to: 12)
    }

    private func column(_ value: UInt64) -> String {
        String(value).leftPadded(to: 12)
    }

    /// Steps as the reference's `PercentileIterator`: a bucket is shown as often as its count passes a tick, and once
    /// more, at 100, if it is the last.
    private func forEachPercentileStep(ticksPerHalfDistance ticks: Double, _ body: (PercentileStep) -> Void) {
        var step = PercentileStep()
        forEachIndexedCount { index, count in
            step.total += count
            step.value = Swift.min(highestValue(at: index), max)
            while 100 * Double(step.total) / Double(self.count) >= step.level {
                body(step)
                guard step.total < self.count else { break }
                // 100 / (100 - level) lies in [2^k, 2^(k+1)) after k halvings of the distance.
                let halvings = (100 / (100 - step.level)).exponent
                step.level += 100 / (ticks * Double(sign: .plus, exponent: halvings + 1, significand: 1))
            }
            return true
        }
        guard !isEmpty else { return }
        step.level = 100
        body(step)
    }
}

/// One line of the text.
private struct PercentileStep {
    /// In nanoseconds.
    var value: Int64 = 0

    /// The tick reached, 0 to 100.
    var level = 0.0

    /// How many values are at or below `value`.
    var total: UInt64 = 0

    func line(unit: Double) -> String {
        let start = [
            FixedDecimal.text(Double(value) / unit, digits: 3).leftPadded(to: 12),
            FixedDecimal.text(level / 100, digits: 12),
            String(total).leftPadded(to: 10),
        ]
        .joined(separator: " ")
        return level == 100
            ? start : start + " " + FixedDecimal.text(1 / (1 - level / 100), digits: 2).leftPadded(to: 14)
    }
}
