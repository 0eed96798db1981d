import Foundation
import Sending
import Testing

@testable import Report

@Suite("Baselines")
struct BaselineTests {
    private static func record(_ change: (inout RunMeasurement) -> Void = { _ in }) -> RunRecord {
        var run = SampleRun.healthy
        change(&run)
        return SampleRun.record(run)
    }

    private static func words(_ change: (inout RunMeasurement) -> Void) -> [String: Comparison.Word] {
        let comparison = Comparison(.baseline(Baseline(record())), .runs([record(change)]), effect: 0.02)
        return Dictionary(uniqueKeysWithValues: comparison.rows.map { ("\($0.lane) \($0.name)", $0.word) })
    }

    @Test("It holds what hardly moves, and says same of the run that it was made from")
    func same() {
        let words = Self.words { _ in }
        #expect(
            Set(words.keys) == [
                "apns-production bytes out per push", "apns-production bytes in per push", "fcm bytes out per push",
                "fcm bytes in per push", "all system calls per push", "all allocations per push", "all signatures",
            ]
        )
        #expect(words.values.allSatisfy { $0 == .same })
    }

    @Test("One allocation, one signature, four bytes or one system call a push more are worse; less is better")
    func changes() {
        #expect(
            Self.words { $0.generator.allocations += $0.generator.allocationsPushes }["all allocations per push"]
                == .worse
        )
        #expect(Self.words { $0.credentials[0].signed += 1 }["all signatures"] == .worse)
        #expect(Self.words { $0.credentials[0].signed -= 1 }["all signatures"] == .better)
        let bytes = Self.words { $0.lanes[1].bytesOut += 4 * 9_000 }
        #expect(bytes["fcm bytes out per push"] == .worse && bytes["apns-production bytes out per push"] == .same)
        #expect(Self.words { $0.lanes[1].bytesIn -= 4 * 9_000 }["fcm bytes in per push"] == .better)
        #expect(Self.words { $0.generator.writes += 18_000 }["all system calls per push"] == .worse)
    }

    @Test("From its file it comes back, and knows neither machine nor workers")
    func file() throws {
        let text = ResultText.collect { Baseline(Self.record()).write(to: $0) }
        let read = try JSONDecoder().decode(Baseline.self, from: Data(text.utf8))
        #expect(ResultText.collect { read.write(to: $0) } == text)
        var other = Self.record()
        other.environment.machine.cores += 1
        #expect(Comparison(.baseline(read), .runs([other]), effect: 0.02).differences.isEmpty)
        other.environment.toolchain = "Swift 7"
        other.seed = 1
        #expect(
            Comparison(.runs([other]), .baseline(read), effect: 0.02).differences
                == ["toolchain: Swift 7 / Swift 6.3.1, release"]
        )
    }
}
