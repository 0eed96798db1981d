import Testing

@testable import Fleet

@Suite struct TokenMarkTests {
    /// What a host finds out about a device when it knows which lane it serves and which app is asked for.
    private func finding(_ text: [UInt8], lane: FleetLane, expected tag: UInt16) -> Defect {
        let isShaped = lane.provider == .apns ? isAPNs(text) : isFCM(text)
        guard isShaped else { return .malformed }
        guard let mark = mark(text), mark.provider == lane.provider else { return .malformed }
        if mark.environment != lane.environment { return .wrongEnvironment }
        if mark.appTag != tag { return lane.provider == .apns ? .wrongTopic : .otherSender }
        return mark.unregistered ? .unregistered : .none
    }

    @Test func everyDefectCanBeReadFromTheToken() throws {
        let fleet = try Fixture.fleet(
            size: 50_000,
            longTokenShare: 0.2,
            longestToken: 160,
            defects: Fixture.everyDefect
        )
        var seen: [FleetLane: Set<Defect>] = [:]
        let misread = (0..<fleet.size)
            .filter { index in
                let device = fleet.device(at: index)
                let name = device.lane == .fcm ? "example-project" : Fixture.apps[device.app].topic
                let text = token(of: device, in: fleet)
                seen[device.lane, default: []].insert(device.defect)
                return finding(text, lane: device.lane, expected: TokenMark.appTag(name)) != device.defect
            }
        #expect(misread == [])
        let apns: Set<Defect> = [.none, .unregistered, .wrongEnvironment, .malformed, .wrongTopic]
        #expect(
            seen == [
                .apnsProduction: apns, .apnsSandbox: apns, .fcm: [.none, .unregistered, .malformed, .otherSender],
            ]
        )
    }

    @Test(arguments: [FleetLane.apnsProduction, .apnsSandbox, .fcm])
    func aTokenMeansNothingToTheOtherProvider(lane: FleetLane) throws {
        let fleet = try Fixture.fleet()
        let text = token(of: fleet.device(lane: lane, ordinal: 7), in: fleet)
        #expect(mark(text)?.provider == lane.provider)
        #expect(lane.provider == .apns ? !isFCM(text) : !isAPNs(text))
    }

    @Test func upperCaseHexadecimalReadsTheSame() throws {
        let fleet = try Fixture.fleet()
        let text = token(of: fleet.device(lane: .apnsSandbox, ordinal: 3), in: fleet)
        let upper = Array(String(decoding: text, as: UTF8.self).uppercased().utf8)
        #expect(upper != text)
        #expect(mark(upper) == mark(text))
    }

    @Test func foreignTokensHaveNoMark() throws {
        let fleet = try Fixture.fleet()
        for lane in FleetLane.allCases {
            var text = token(of: fleet.device(lane: lane, ordinal: 0), in: fleet)
            #expect(mark(text) != nil)
            // One character of the identity or of the mark differs: the two no longer belong together.
            for position in [3, lane == .fcm ? 13 : 17] {
                let character = text[position]
                text[position] = character == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
                #expect(isAPNs(text) || isFCM(text))
                #expect(mark(text) == nil)
                text[position] = character
            }
        }
    }

    @Test func shortAndEmptyTextHasNoMark() {
        for length in [0, 1, 16, 32, 63] { #expect(mark([UInt8](repeating: UInt8(ascii: "a"), count: length)) == nil) }
    }

    @Test func identitiesAreDistinct() throws {
        let fleet = try Fixture.fleet(size: 100_000)
        let identities = Set((0..<fleet.size).compactMap { mark(token(of: fleet.device(at: $0), in: fleet))?.identity })
        #expect(identities.count == 100_000)
    }

    @Test(arguments: [("", 0x1CD9), ("com.example.app", 0xF406), ("a", 0xCD20)] as [(String, UInt16)])
    func tagsAreFixed(name: String, tag: UInt16) { #expect(TokenMark.appTag(name) == tag) }
}
