import Foundation
import Testing

@testable import Histogram

@Suite struct V2EncodingTests {
    /// Texts written by the reference (PyPI hdrhistogram 0.10.8, `HdrHistogram(1, 86400 * 10**9, 3)`).
    static let written: [([Int64], String)] = [
        ([0], "HISTFAAAACJ4nJNpmSzMwMDAyAABzFAayPebMtGfgcH+A0SACQBUcgQ/"),
        ([1], "HISTFAAAACN4nJNpmSzMwMDAxAABzFCakYHBb8pEfwYG+w9QASYAWNQEQQ=="),
        ([5, 5, 7], "HISTFAAAACZ4nJNpmSzMwMDAwgABzFCakYHBb8pEfwYG+w8QAU4WRiYAYcoEUA=="),
        ([1_000_000], "HISTFAAAACZ4nJNpmSzMwMDAwgABzFCakYHBb8pEfwYG+w8QgYPrGJkAZqgFsg=="),
        (
            [20_000_000, 20_000_000, 20_000_000, 25_000_000],
            "HISTFAAAACl4nJNpmSzMwMDAzgABzFCakYHBb8pEfwYG+w8QgfbPjGz3WZgAevUGqQ=="
        ),
        ([86_400_000_000_000], "HISTFAAAACZ4nJNpmSzMwMDAwgABzFCakYHBb8pEfwYG+w8QgYuXWZgAZ10F6g=="),
    ]

    /// But for those with a single empty bucket, which Python writes as a run of one and Java and C, as we do, as a 0.
    @Test(arguments: written.filter { ![[1], [5, 5, 7]].contains($0.0) })
    func contentsAreByteForByteTheReferences(values: [Int64], text: String) throws {
        let ours = try contents(of: Histogram(recording: values).encodedV2())
        #expect(try ours == contents(of: text))
    }

    @Test(arguments: written)
    func textOfTheReferenceIsDecoded(values: [Int64], text: String) throws {
        let decoded = try Histogram(encodedV2: text)
        #expect(decoded.counts == Histogram(recording: values).counts)
        #expect(decoded.count == UInt64(values.count))
    }

    /// The reference writes no count at all for an empty histogram in Python, one empty bucket in Java and C.
    @Test(arguments: ["HISTFAAAAB54nJNpmSzMgADMUJqRgcFvykR/Bgb7DxABAFASBDw=", Histogram().encodedV2()])
    func emptyHistogramIsDecoded(text: String) throws {
        #expect(try Histogram(encodedV2: text) == Histogram())
    }

    @Test(arguments: Samples.allCases, [1, 100, 20_000])
    func decodedHistogramHasTheSameCounts(samples: Samples, count: Int) throws {
        var histogram = Histogram(recording: samples.values(count))
        histogram.record(3_000, times: 1 << 40)
        let decoded = try Histogram(encodedV2: histogram.encodedV2())
        #expect(decoded.counts == histogram.counts)
        #expect(decoded.count == histogram.count)
        #expect(decoded.min <= histogram.min)
        #expect(decoded.max >= histogram.max)
    }

    /// Where a number stops being one byte, of the encoding (64) and of what it is decoded into (128).
    @Test(arguments: [0, 1, 2, 62, 63, 64, 65, 126, 127, 128, 129, 300, 20_000], [1, 63, 64, 127, 128, 16_384])
    func gapsAndCountsOfEveryLengthRoundTrip(gap: Int, count: UInt64) throws {
        var histogram = Histogram()
        var index = gap
        while index <= BucketLayout.lastIndex {
            histogram.record(BucketLayout.lowestValue(at: index), times: count)
            index += gap + 1
            guard index < 40 * (gap + 1) else { break }
        }
        let sparse = SparseHistogram(histogram)
        let decoded = try SparseHistogram(encodedV2: sparse.encodedV2())
        #expect(decoded.buckets == sparse.buckets)
        #expect(decoded.count == histogram.count)
        #expect(Histogram(decoded).counts == histogram.counts)
    }

    @Test func decodedTotalsAreThoseOfTheBuckets() throws {
        let decoded = try Histogram(encodedV2: Histogram(recording: [1_000_000, 20_000_000]).encodedV2())
        #expect(decoded.min == 999_936)
        #expect(decoded.max == 20_004_863)
        #expect(decoded.sum == 1_000_192 + 19_996_672)
        let last = try Histogram(encodedV2: Histogram(recording: [.max]).encodedV2())
        #expect((last.max, last.overflowed) == (86_400_000_000_000, 0))
    }

    @Test(arguments: [Int64.min, -1_000_000, -64, -1, 0, 1, 63, 64, 127, 128, 8_191, 1 << 40, 1 << 55, 1 << 56, .max])
    func zigZagNumbersRoundTripInAtMostNineBytes(number: Int64) {
        let written = bytes(of: number)
        #expect(written.count == ZigZag.length(of: number) && written.count <= ZigZag.longest)
        var position = 0
        let read = written.withUnsafeBufferPointer { bytes in ZigZag.read(bytes, at: &position) }
        #expect(read == number && position == written.count)
    }
}

@Suite struct DamagedEncodingTests {
    @Test(
        arguments: [
            ("", .wrongLength),
            ("not base64!", .notBase64),
            ("HISTFAAAACJ4nJNpmSzMwMDAyAABzFAayPebMtGfgcH+A0SACQBUcgQ", .notBase64),
            ("SElTVEZBQUFB", .unknownCookie(0x4849_5354)),
            ("HISTFAAAACJ4nJNp", .wrongLength),
            ("HISTFAAAAAR4nJNp", .notZlib(code: -3)),
            ("HISTFAAAAAQAAAAA", .notZlib(code: -3)),
        ] as [(String, HistogramError)]
    )
    func damagedTextIsRefused(text: String, error: HistogramError) {
        #expect(throws: error) { try Histogram(encodedV2: text) }
    }

    static let header: [UInt32] = [0x1c84_9313, 1, 0, 3, 0, 1, 0x4e94, 0x914f_0000, 0x3ff0_0000, 0]

    @Test(
        arguments: [
            (0, 0x1c84_9303, .unknownCookie(0x1c84_9303)),
            (1, 2, .wrongLength),
            (2, 4, .unsupported("normalizing index offset is 4, only 0 is read")),
            (3, 2, .unsupported("keeps 2 significant digits, only 3 are read")),
            (5, 1_000, .unsupported("lowest discernible value is 1000, only 1 is read")),
            (8, 0x4000_0000, .unsupported("values are scaled by 2.0, only 1.0 is read")),
        ] as [(Int, UInt32, HistogramError)]
    )
    func otherSettingsAreRefused(field: Int, value: UInt32, error: HistogramError) {
        var header = Self.header
        header[field] = value
        #expect(throws: error) { try Histogram(encodedV2: message(header, counts: [0])) }
    }

    @Test(
        arguments: [
            ([0x80], .wrongLength),
            ([0xff, 0xff, 0xff, 0xff], .wrongLength),
            // 38,122 empty buckets (the zigzag of -38,122 is 76,243), then one more.
            ([0xd3, 0xd3, 0x04, 0x02], .contradiction("counts values above 24 h, the highest that is read")),
            // A run of 2^63 empty buckets.
            (
                [UInt8](repeating: 0xff, count: 9),
                .contradiction("counts values above 24 h, the highest that is read")
            ),
            // 2^63 - 1 three times.
            (
                [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] + [
                    0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                ]
                    + [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
                .contradiction("counts add up to 2^64 or more")
            ),
        ] as [([UInt8], HistogramError)]
    )
    func impossibleCountsAreRefused(counts: [UInt8], error: HistogramError) {
        var header = Self.header
        header[1] = UInt32(counts.count)
        #expect(throws: error) { try Histogram(encodedV2: message(header, counts: counts)) }
    }

    @Test func everyCutAndEveryFlippedByteIsRefusedOrDecodedWithoutATrap() throws {
        let text = Histogram(recording: Samples.latencies.values(500)).encodedV2()
        let bytes = try #require(Data(base64Encoded: text))
        for length in 0..<bytes.count {
            #expect(throws: HistogramError.self) {
                try Histogram(encodedV2: bytes.prefix(length).base64EncodedString())
            }
        }
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 0x41
            _ = try? Histogram(encodedV2: damaged.base64EncodedString())
        }
    }

    @Test func descriptionIsOneLineThatNamesTheFault() {
        #expect(
            HistogramError.unknownCookie(0x1c84_9303).description
                == "encoded histogram: starts with 0x1c849303, not with a V2 compressed histogram's cookie"
        )
    }

    private func message(_ header: [UInt32], counts: [UInt8]) -> String {
        var contents = BigEndianWriter()
        for field in header { contents.append(field) }
        contents.append(counts)
        let compressed = Zlib.compress(contents.bytes)
        var message = BigEndianWriter()
        message.append(UInt32(0x1c84_9314))
        message.append(UInt32(compressed.count))
        message.append(compressed)
        return Data(message.bytes).base64EncodedString()
    }
}

@Suite struct JSONTests {
    @Test(arguments: Samples.allCases)
    func snapshotSurvivesJSONBitForBit(samples: Samples) throws {
        for values in [samples.values(2_000), [], [.max, 5], [0]] {
            let snapshot = SparseHistogram(Histogram(recording: values))
            let json = try JSONEncoder().encode(snapshot)
            #expect(try JSONDecoder().decode(SparseHistogram.self, from: json) == snapshot)
        }
    }

    @Test(arguments: [
        (#""min": 1"#, #""min": 0"#), (#""max": 9"#, #""max": 10"#), (#""overflowed": 0"#, #""overflowed": 1"#),
        (#""sum": "10""#, #""sum": "ten""#), (#""min": 1"#, #""min": -1"#),
    ])
    func contradictingTotalsAreRefused(field: String, damaged: String) throws {
        let v2 = Histogram(recording: [1, 9]).encodedV2()
        let json = #"{"v2": "\#(v2)", "min": 1, "max": 9, "sum": "10", "overflowed": 0}"#
        #expect(try JSONDecoder().decode(SparseHistogram.self, from: Data(json.utf8)).sum == 10)
        let broken = json.replacingOccurrences(of: field, with: damaged)
        #expect(throws: HistogramError.self) { try JSONDecoder().decode(SparseHistogram.self, from: Data(broken.utf8)) }
    }
}

private func contents(of text: String) throws -> [UInt8] {
    let message = try #require(Data(base64Encoded: text))
    var contents = [UInt8](repeating: 0, count: 100_000)
    let length = try [UInt8](message)[8...]
        .withUnsafeBufferPointer { bytes in
            try contents.withUnsafeMutableBufferPointer { try Zlib.Inflater().inflate(bytes, into: $0) }
        }
    return try Array(contents.prefix(#require(length)))
}

/// A number as `ZigZag` writes it.
func bytes(of number: Int64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: ZigZag.longest) { memory, count in
        count = ZigZag.write(number, to: memory, at: 0)
    }
}
