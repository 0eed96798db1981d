import LoadPlan

/// What a sweep can change.
package enum SweepKnob: String, Sendable, CaseIterable, Codable {
    /// In the order of their price: a connection costs most, a batch in flight least.
    case connections
    case streams
    case batches
}

/// The values that a sweep tries of one knob: `connections=1..32`, `streams=10..100+10`, `batches=1,2,4,8`.
package struct SweepAxis: Sendable, Equatable {
    package let knob: SweepKnob
    /// Rising.
    package let values: [Int]

    /// Why a text is no axis.
    package struct Failure: Error, Equatable {
        package let message: String
    }

    private static let most = 100_000

    package init(_ knob: SweepKnob, _ values: [Int]) {
        precondition(!values.isEmpty && values == values.sorted(), "an axis without rising values")
        self.knob = knob
        self.values = values
    }

    package init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let knob = SweepKnob(rawValue: String(parts[0])) else {
            let knobs = SweepKnob.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(
                message: "is \(text); allowed: one of \(knobs), then = and values such as 1..32, 10..100+10 or 1,2,4"
            )
        }
        let values = Self.values(String(parts[1]))
        guard let values, !values.isEmpty, values.allSatisfy({ (1...Self.most).contains($0) }) else {
            throw Failure(message: "is \(text); allowed: rising whole numbers from 1, as 1..32, 10..100+10 or 1,2,4")
        }
        self.init(knob, values)
    }

    private static func values(_ text: String) -> [Int]? {
        guard let range = text.firstRange(of: "..") else {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            let values = numbers.compactMap { $0 }
            return values.count == numbers.count && zip(values, values.dropFirst()).allSatisfy(<) ? values : nil
        }
        let rest = text[range.upperBound...].split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let step = rest.count > 1 ? Int(rest[1]) : 1
        guard let first = Int(text[..<range.lowerBound]), let last = Int(rest[0]), let step, step > 0, first >= 1,
            first <= last, last <= most
        else { return nil }
        return Array(stride(from: first, through: last, by: step))
    }

    /// Places of a few values to look at first, spread by ratio, both ends among them.
    func coarse(_ count: Int) -> [Int] {
        let last = values.count - 1
        guard last > 0, count > 1 else { return [0] }
        let (low, high) = (Double(values[0]), Double(values[last]))
        var places: Set<Int> = [0, last]
        var wanted = low
        // The ratio from one to the next: the (count - 1)-th root of the whole, by bisection.
        let ratio = Self.root(high / low, count - 1)
        for _ in 1..<max(2, count - 1) {
            wanted *= ratio
            places.insert(values.firstIndex { Double($0) >= wanted - 1e-9 } ?? last)
        }
        return places.sorted()
    }

    private static func root(_ number: Double, _ degree: Int) -> Double {
        var (low, high) = (1.0, max(1, number))
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let power = (0..<degree).reduce(1.0) { power, _ in power * middle }
            if power < number { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
