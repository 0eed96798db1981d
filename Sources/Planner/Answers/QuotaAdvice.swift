import LoadPlan

/// What quota to ask FCM for, by its own rules.
///
/// Source: Firebase, "Throttling and quotas": 600,000 messages a minute and project, refilled in full each minute; increases
/// of up to 25% for projects that use at least 80% for five consecutive minutes a day with less than 5% client errors; above
/// 18 million a minute 30 days' notice.
package struct QuotaAdvice: Sendable, Equatable, Codable {
    /// Messages a minute that the campaign and others need, with a tenth to spare.
    package var neededPerMinute: UInt64
    package var currentPerMinute: UInt64
    /// Increases of 25% from here to there; 0 where none is needed.
    package var increases: Int
    package var needsNotice: Bool
    /// Whether so many tokens are bad that an increase would be refused.
    package var tooManyErrors: Bool

    package static let most: UInt64 = 18_000_000
    package static let step = 1.25
    package static let mostErrors = 0.05
    private static let spare = 1.1

    package init(perSecond rate: Double, usedByOthers: Double, limit: Int, window: Int64, badShare: Double) {
        let perMinute = Double(limit) * Double(Nanoseconds.minute) / Double(window)
        let others = perMinute * usedByOthers
        currentPerMinute = UInt64(perMinute.rounded())
        let exact = rate * 60 + others
        // A quota that is just enough needs no increase; one that is asked for has something to spare.
        let isEnough = exact <= perMinute * (1 + 1e-9)
        // What is whole but for rounding is meant to be.
        neededPerMinute = UInt64((exact * (isEnough ? 1 : Self.spare) - 1e-6).rounded(.up))
        var (increases, reached) = (0, perMinute)
        while !isEnough, reached > 0, reached < Double(neededPerMinute), increases < 100 {
            reached *= Self.step
            increases += 1
        }
        self.increases = isEnough ? 0 : max(1, increases)
        needsNotice = neededPerMinute > Self.most
        tooManyErrors = badShare >= Self.mostErrors
    }

    /// In sentences, as FCM has it.
    package var sentences: [String] {
        guard increases > 0 else {
            return ["No increase is needed: \(text(neededPerMinute)) messages a minute of \(text(currentPerMinute))."]
        }
        var sentences = [
            "Ask for \(text(neededPerMinute)) messages a minute in place of \(text(currentPerMinute)): "
                + (increases == 1 ? "one increase" : "\(increases) increases, one after another,")
                + " of up to 25%.",
            "Before each, use at least 80% of the quota for 5 consecutive minutes a day, with less than 5% client errors.",
        ]
        if tooManyErrors {
            sentences.append("Clean the tokens first: bad ones are client errors, and 5% or more are too many.")
        }
        if needsNotice { sentences.append("Above 18,000,000 a minute FCM wants 30 days' notice.") }
        return sentences
    }

    private func text(_ number: UInt64) -> String {
        var digits = String(number)
        var groups: [String] = []
        while digits.count > 3 {
            groups.append(String(digits.suffix(3)))
            digits.removeLast(3)
        }
        return ([digits] + groups.reversed()).joined(separator: ",")
    }
}
