import Testing

@testable import Fleet

@Suite struct TokenTests {
    @Test func generatedTokensHaveTheShapeOfTheirProvider() throws {
        let fleet = try Fixture.fleet(size: 20_000, longTokenShare: 0.3, longestToken: 200)
        var lengths: [Provider: Set<Int>] = [:]
        let misshapen = (0..<fleet.size)
            .filter { index in
                let device = fleet.device(at: index)
                let text = token(of: device, in: fleet)
                lengths[device.lane.provider, default: []].insert(text.count)
                let isRight = device.lane == .fcm ? isFCM(text) && !isAPNs(text) : isAPNs(text) && !isFCM(text)
                return !isRight || text.count != device.tokenLength
            }
        #expect(misshapen == [])
        #expect(lengths[.apns] == Set(stride(from: 64, through: 200, by: 2)))
        #expect(lengths[.fcm] == Set(142...163))
    }

    @Test func tokensReadLikeRealOnes() throws {
        let fleet = try Fixture.fleet()
        let hexadecimal = try Regex("[0-9a-f]{64}")
        let registration = try Regex("[cdef][A-Za-z0-9_-]{21}:APA91b[A-Za-z0-9_-]{113,134}")
        let unlike = (0..<UInt64(1000))
            .filter { index in
                let device = fleet.device(at: index)
                let text = String(decoding: token(of: device, in: fleet), as: UTF8.self)
                return text.wholeMatch(of: device.lane == .fcm ? registration : hexadecimal) == nil
            }
        #expect(unlike == [])
    }

    @Test func shareOfLongTokensIsAsAsked() throws {
        let weights = try Fixture.weights(1, 0, 0)
        let fleet = try Fixture.fleet(weights: weights, longTokenShare: 0.25, longestToken: 96)
        let long = (0..<fleet.size).count { fleet.device(at: $0).tokenLength > 64 }
        #expect(isWithinSamplingError(long, of: fleet.size, share: 0.25))
    }

    @Test func tokensAreDistinct() throws {
        let fleet = try Fixture.fleet(size: 100_000)
        var seen: Set<[UInt8]> = []
        for index in 0..<fleet.size { seen.insert(token(of: fleet.device(at: index), in: fleet)) }
        #expect(seen.count == 100_000)
    }

    @Test func tokensUseTheirWholeAlphabet() throws {
        let fleet = try Fixture.fleet(size: 2000)
        var counts: [Provider: [UInt8: Int]] = [:]
        for index in 0..<fleet.size {
            let device = fleet.device(at: index)
            // Of FCM tokens only what follows the fixed parts.
            for byte in token(of: device, in: fleet).dropFirst(device.lane == .fcm ? 29 : 0) {
                counts[device.lane.provider, default: [:]][byte, default: 0] += 1
            }
        }
        for (provider, size) in [(Provider.apns, 16), (.fcm, 64)] {
            let characters = counts[provider, default: [:]]
            let total = UInt64(characters.values.reduce(0, +))
            #expect(characters.count == size)
            for count in characters.values {
                #expect(isWithinSamplingError(count, of: total, share: 1 / Double(size)))
            }
        }
    }

    @Test func sameDeviceHasTheSameTokenInEveryVersion() throws {
        let fleet = try Fixture.fleet()
        let texts = [fleet.deviceIndex(lane: .apnsProduction, ordinal: 0), fleet.deviceIndex(lane: .fcm, ordinal: 0)]
            .map { String(decoding: token(of: fleet.device(at: $0), in: fleet), as: UTF8.self) }
        let filler =
            "WeDZQAc0diNxMDk4ba53z21PYq0CFMk_vYMEbLkD29fNM_QV3sVEaJQt8LNzPJmlBSXD_alOfcsFN5M60jArh7laxEcgbv22HWqwh"
        #expect(
            texts == [
                "96997360ef8647db419109f269f55d7cc5472b03b2806aca5c808afa363a3441",
                "eg5geNWTb9Vz9Ik4oQYePe:APA91b\(filler)AF0JYKExU1GNWXorIcvRFdpIuWfxm",
            ]
        )
    }
}

@Suite struct MalformedTokenTests {
    @Test(arguments: [Provider.apns, .fcm])
    func malformedTokensAreNeverValid(provider: Provider) throws {
        let weights = try provider == .apns ? Fixture.weights(1, 1, 0) : Fixture.weights(0, 0, 1)
        let fleet = try Fixture.fleet(
            size: 20_000,
            weights: weights,
            longTokenShare: 0.5,
            longestToken: 200,
            defects: .init(malformed: 1)
        )
        var lengths: Set<Int> = []
        let wellFormed = (0..<fleet.size)
            .filter { index in
                let device = fleet.device(at: index)
                let text = token(of: device, in: fleet)
                lengths.insert(text.count)
                let isBroken = !isAPNs(text) && !isFCM(text) && mark(text) == nil && text.count == device.tokenLength
                return !isBroken || device.defect != .malformed || !text.allSatisfy(isSafeInPathJSONAndCSV)
            }
        #expect(wellFormed == [])
        #expect(lengths.contains { $0 < 64 } && lengths.contains { $0 >= 64 })
    }

    @Test func everyWayOfBreakingATokenOccurs() throws {
        let fleet = try Fixture.fleet(size: 2000, defects: .init(malformed: 1))
        let texts = (0..<fleet.size).map { token(of: fleet.device(at: $0), in: fleet) }
        #expect(texts.contains { $0.count.isMultiple(of: 2) == false && $0.count > 62 && $0.count < 100 })
        #expect(texts.contains { $0.count < 63 })
        for character in ["x", "-", "."] {
            #expect(texts.contains { $0.contains(Array(character.utf8)[0]) })
        }
        #expect(texts.contains { $0.count > 100 && !$0.contains(UInt8(ascii: ":")) })
        #expect(texts.contains { $0.dropFirst(22).starts(with: ":BPA91b".utf8) })
    }

    private func isSafeInPathJSONAndCSV(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"\\,/?#%".utf8.contains(byte)
    }
}

@Suite struct TokenShapeTests {
    static let hexadecimal = String(repeating: "0aF9", count: 50)
    static let tail = "APA91b" + String(repeating: "xY-_0", count: 60)

    @Test(arguments: [
        (64, true), (66, true), (200, true), (62, false), (63, false), (65, false), (202, false), (0, false),
    ])
    func apnsLengths(length: Int, isValid: Bool) {
        let text = Array((Self.hexadecimal + Self.hexadecimal).utf8.prefix(length))
        #expect(isAPNs(text) == isValid)
    }

    @Test(arguments: Array(UInt8.min...UInt8.max))
    func onlyHexadecimalDigitsMakeAnAPNsToken(byte: UInt8) {
        var text = Array(Self.hexadecimal.utf8.prefix(64))
        text[63] = byte
        let isDigit = byte < 128 && Character(Unicode.Scalar(byte)).isHexDigit
        #expect(isAPNs(text) == isDigit)
    }

    @Test(arguments: Array(UInt8.min...UInt8.max))
    func onlyBase64URLMakesAnFCMToken(byte: UInt8) {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for position in [0, 21, 29, 151] {
            var text = Array(("eXAMPLE-_0123456789abc:" + Self.tail).utf8.prefix(152))
            text[position] = byte
            #expect(isFCM(text) == alphabet.utf8.contains(byte))
        }
    }

    @Test(arguments: [
        ("eXAMPLE-_0123456789abc:", 142, true), ("eXAMPLE-_0123456789abc:", 163, true), ("eXAMPLE-_01:", 152, true),
        ("eXAMPLE-_0123456789abc:", 129, false), ("eXAMPLE-_0123456789abc:", 256, false),
        ("eXAMPLE-_0:", 152, false), ("eXAMPLE-_0123456789abcd:", 152, false), ("", 152, false), (":", 152, false),
        ("eXAMPLE-_0123456789abc", 152, false), ("eXAMPLE-_0123456789abc:B", 152, false),
        ("eXAMPLE-_0123456789abc::", 152, false),
    ])
    func fcmParts(start: String, length: Int, isValid: Bool) {
        #expect(isFCM(Array((start + Self.tail).utf8.prefix(length))) == isValid)
    }
}
