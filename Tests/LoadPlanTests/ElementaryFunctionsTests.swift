import Foundation
import Testing

@testable import LoadPlan

@Suite("Elementary functions")
struct ElementaryFunctionsTests {
    @Test("The logarithm agrees with the C library's")
    func logarithm() {
        var random = RandomStream(seed: 1)
        for _ in 0..<200_000 {
            // Every exponent, so also numbers near 1, where the result is near 0.
            let x = Double(bitPattern: random.next() % 0x7FE0_0000_0000_0000 + 0x0010_0000_0000_0000)
            #expect(relativeError(naturalLogarithm(x), log(x)) < 1e-15)
            let nearOne = 0.5 + Double(random.next() >> 11) * 0x1p-53
            #expect(relativeError(naturalLogarithm(nearOne), log(nearOne)) < 1e-15)
        }
        #expect(naturalLogarithm(1) == 0)
    }

    @Test("The exponential agrees with the C library's")
    func exponentialFunction() {
        var random = RandomStream(seed: 2)
        for _ in 0..<200_000 {
            let x = (Double(random.next() >> 11) * 0x1p-53 - 0.5) * 1400
            #expect(relativeError(exponential(x), exp(x)) < 1e-15)
        }
        #expect(exponential(0) == 1)
        #expect(exponential(-1000) == 0)
        #expect(exponential(1000) == .infinity)
    }

    @Test(
        "The normal quantile has its tabled values",
        arguments: [
            (0.5, 0), (0.99, 2.326_347_874_040_840_8), (0.975, 1.959_963_984_540_054), (0.9, 1.281_551_565_544_600_4),
            (0.001, -3.090_232_306_167_813), (1e-10, -6.361_340_902_404_056), (1e-20, -9.262_340_089_798_408),
        ] as [(Double, Double)]
    )
    func quantile(probability: Double, expected: Double) {
        #expect(relativeError(normalQuantile(probability), expected) < 1e-14)
    }
}

/// The distance of two numbers in parts of the second.
func relativeError(_ value: Double, _ expected: Double) -> Double {
    value == expected ? 0 : abs(value - expected) / abs(expected)
}
