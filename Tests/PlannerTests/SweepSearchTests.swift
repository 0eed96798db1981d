import Hosts
import LoadPlan
import Testing

@testable import Planner

/// A host with a knee that is known: a service time, a limit on streams, a rate that one connection can carry, a rate that
/// the whole host can, and measurements that scatter by a few parts in a thousand.
struct SyntheticKnee {
    var latency = 0.05
    var perConnection = 400.0
    var host = 5000.0
    var noise = 0.004
    var numbers: SplitMix

    init(seed: UInt64) { numbers = SplitMix(seed: seed) }

    /// What a closed loop over so many connections and streams measures.
    mutating func measure(connections: Int, streams: Int) -> TrialFacts {
        let inFlight = Double(connections * streams)
        let free = min(inFlight / latency, Double(connections) * perConnection)
        let rate = min(free, host) * (1 + noise * (2 * uniform() - 1))
        return .closed(inFlight: connections * streams, rate: rate, tail: 1.1)
    }

    private mutating func uniform() -> Double { Double(numbers.next() >> 11) * 0x1p-53 }
}

@Suite("A sweep finds the knee")
struct SweepSearchTests {
    private func search(
        _ search: inout SweepSearch,
        invalidEvery: Int = .max,
        _ measure: (SweepPoint) -> TrialFacts
    ) -> Int {
        var count = 0
        while let point = search.next, count < 2000 {
            count += 1
            search.record(count % invalidEvery == 0 ? .invalid(["lag"]) : .valid(measure(point)), at: point)
        }
        return count
    }

    private static let connections = SweepAxis(.connections, Array(1...32))
    private static let streams = SweepAxis(.streams, Array(stride(from: 4, through: 80, by: 4)))

    @Test(
        "In 10 of 10 seeds within one step, in a quarter of the grid's trials",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func twoAxes(seed: UInt64) throws {
        var model = SyntheticKnee(seed: seed)
        var search = SweepSearch([Self.streams, Self.connections], goal: .highestRate(within: 400_000_000), seed: seed)
        let count = self.search(&search) { point in
            model.measure(connections: point.places[0] + 1, streams: 4 + 4 * point.places[1])
        }
        let answer = try #require(search.answer)
        // 5,000/s at 400 a connection are 12.5 connections; within 2% are 12.25, so 13. 98% of 5,000/s at 50 ms are 245
        // streams, on 13 connections 18.8, so 20.
        let connections = try #require(search.value(of: .connections, at: answer.point))
        let streams = try #require(search.value(of: .streams, at: answer.point))
        #expect(abs(connections - 13) <= 1 && abs(streams - 20) <= 4, "\(connections) x \(streams)")
        #expect(count <= search.gridSize / 4, "\(count) of \(search.gridSize)")
        #expect(search.cause(of: answer) == .host)
    }

    @Test("With one axis too", arguments: 1...10 as ClosedRange<UInt64>)
    func oneAxis(seed: UInt64) throws {
        var model = SyntheticKnee(seed: seed)
        model.perConnection = .infinity
        let axis = SweepAxis(.connections, Array(1...64))
        var search = SweepSearch([axis], goal: .highestRate(within: 200_000_000), seed: seed)
        let count = self.search(&search) { model.measure(connections: $0.places[0] + 1, streams: 10) }
        let answer = try #require(search.answer)
        // 245 streams of ten are 24.5 connections; above 91 the response time is too long.
        let connections = try #require(search.value(of: .connections, at: answer.point))
        #expect(abs(connections - 25) <= 1, "\(connections)")
        #expect(count <= search.gridSize / 4, "\(count) of \(search.gridSize)")
    }

    @Test("A bound on response times that lies below the knee is kept")
    func bound() throws {
        var model = SyntheticKnee(seed: 4)
        (model.noise, model.perConnection) = (0, .infinity)
        let axis = SweepAxis(.connections, Array(1...64))
        var search = SweepSearch([axis], goal: .highestRate(within: 56_000_000), seed: 4)
        _ = self.search(&search) { model.measure(connections: $0.places[0] + 1, streams: 10) }
        let answer = try #require(search.answer)
        #expect(search.facts(at: answer.point).allSatisfy { $0.p99 <= 56_000_000 })
        #expect(abs((search.value(of: .connections, at: answer.point) ?? 0) - 25) <= 1)
    }

    @Test("INVALID trials are dropped and done again; a pool of which none can be believed is left out")
    func invalid() throws {
        var model = SyntheticKnee(seed: 9)
        var search = SweepSearch([Self.connections], goal: .highestRate(within: 1_000_000_000), seed: 9)
        let count = self.search(&search, invalidEvery: 3) { model.measure(connections: $0.places[0] + 1, streams: 40) }
        #expect(search.dropped == count / 3 && search.unbelievable.isEmpty)
        #expect(abs((search.answer.map { search.value(of: .connections, at: $0.point) ?? 0 } ?? 0) - 13) <= 1)
        var hopeless = SweepSearch([Self.connections], goal: .highestRate(within: 1_000_000_000), seed: 9)
        var trials = 0
        while let point = hopeless.next, trials < 2000 {
            trials += 1
            let isBusy = point.places[0] >= 20
            let facts = model.measure(connections: point.places[0] + 1, streams: 10)
            hopeless.record(isBusy ? .invalid(["cpu"]) : .valid(facts), at: point)
        }
        #expect(trials < 100 && hopeless.unbelievable.allSatisfy { $0.places[0] >= 20 })
        let answer = try #require(hopeless.answer)
        #expect(hopeless.cause(of: answer) == .generator)
    }

    @Test("Nothing that meets the goal is no answer")
    func nothing() {
        var model = SyntheticKnee(seed: 1)
        var search = SweepSearch([Self.connections], goal: .highestRate(within: 1), seed: 1)
        let count = self.search(&search) { model.measure(connections: $0.places[0] + 1, streams: 10) }
        #expect(search.answer == nil && count < 10)
    }

    @Test("The order of trials is the seed's")
    func order() {
        func first(_ seed: UInt64) -> [SweepPoint] {
            var model = SyntheticKnee(seed: 1)
            var search = SweepSearch(
                [Self.connections, Self.streams],
                goal: .highestRate(within: 1_000_000_000),
                seed: seed
            )
            var points: [SweepPoint] = []
            _ = self.search(&search) { point in
                points.append(point)
                return model.measure(connections: point.places[0] + 1, streams: 10)
            }
            return points
        }
        #expect(first(1) == first(1) && first(1).prefix(9) != first(2).prefix(9))
        #expect(Set(first(1).prefix(9)) == Set(first(2).prefix(9)))
    }

    @Test(
        "Axes are written as ranges, with steps or as lists",
        arguments: [
            ("connections=1..4", [1, 2, 3, 4]), ("streams=10..50+20", [10, 30, 50]), ("batches=1,2,8", [1, 2, 8]),
            ("streams=7", [7]),
        ]
    )
    func axes(text: String, values: [Int]) throws {
        #expect(try SweepAxis(text).values == values)
    }

    @Test(
        "What is no axis is refused",
        arguments: [
            "", "connections", "sockets=1..4", "streams=", "streams=4..1", "streams=0..4", "streams=1..4+0",
            "batches=2,1", "batches=1,x",
        ]
    )
    func noAxes(text: String) { #expect(throws: SweepAxis.Failure.self) { try SweepAxis(text) } }

    @Test(
        "The highest rate is found within 1%, though some trials are wrong and some INVALID",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func rate(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let limit = 500 + numbers.next() % 20_000
        var search = RateSearch(from: 1000, most: 1_000_000, tolerance: 0.01)
        var count = 0
        while let rate = search.next, count < 500 {
            count += 1
            let chance = numbers.next() % 20
            search.answered(chance == 0 ? .invalid : rate <= limit ? .holds : .fails)
        }
        let found = try #require(search.found)
        #expect(found <= limit && Double(found) >= 0.985 * Double(limit), "\(found) of \(limit)")
        #expect(count < 60 && !search.isGeneratorBound)
    }

    @Test("Where no trial can be believed the generator binds")
    func generator() {
        var search = RateSearch(from: 1000, most: 1_000_000, tolerance: 0.01)
        while let rate = search.next { search.answered(rate <= 3000 ? .holds : .invalid) }
        #expect(search.isGeneratorBound && search.dropped > 0)
        #expect(abs(Double(search.found ?? 0) - 3000) <= 40)
    }
}
