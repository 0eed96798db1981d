import Testing

@testable import Fleet

/// Reads a fleet from text that arrives in pieces of a size.
func read(
    _ bytes: [UInt8],
    piece: Int = .max,
    routing: CSVRouting = CSVRouting()
) throws(FleetCSVError) -> CSVFleet {
    var reader = CSVFleetReader(routing: routing)
    var start = 0
    while start < bytes.count {
        let end = piece < bytes.count - start ? start + piece : bytes.count
        try reader.feed(bytes.span.extracting(start..<end))
        start = end
    }
    return try reader.finish()
}

func read(_ text: String, piece: Int = .max) throws(FleetCSVError) -> CSVFleet {
    try read(Array(text.utf8), piece: piece)
}

/// The whole of a fleet as CSV.
func write(_ fleet: FleetSource) -> [UInt8] {
    var writer = FleetCSVWriter(fleet)
    var file = FleetCSVWriter.header
    for position in 0..<fleet.size { writer.append(fleet.device(at: position), to: &file) }
    return file
}

func token(of device: Device, in fleet: FleetSource) -> String {
    var text = [UInt8](repeating: 0, count: Fleet.maximumTokenLength)
    let length = text.withUnsafeMutableBytes { fleet.writeToken(of: device, into: $0) }
    return String(decoding: text.prefix(length), as: UTF8.self)
}

private let apns = String(repeating: "0a", count: 32)
private let other = String(repeating: "b1", count: 32)
private let fcm = "eXAMPLE-_0123456789abc:APA91b" + String(repeating: "x", count: 120)

@Suite struct FleetCSVRoundTripTests {
    @Test(arguments: [1, 2, 3, 7, 64, 4096, Int.max])
    func aFleetComesBackAsItWas(piece: Int) throws {
        let defects = Fixture.everyDefect
        let seeded = FleetSource(
            try Fixture.fleet(size: 500, longTokenShare: 0.2, longestToken: 200, defects: defects)
        )
        let listed = FleetSource(try read(write(seeded), piece: piece))
        #expect(listed.size == seeded.size)
        let different = (0..<seeded.size)
            .filter { position in
                let one = seeded.device(at: position)
                let two = listed.device(at: position)
                return one.index != two.index || one.lane != two.lane || one.defect != two.defect
                    || seeded.apps[one.app] != listed.apps[two.app] || one.tokenLength != two.tokenLength
                    || token(of: one, in: seeded) != token(of: two, in: listed)
            }
        #expect(different == [])
        #expect(write(listed) == write(seeded))
    }

    @Test func rowsAreWrittenAsDocumented() throws {
        let text = """
            index,provider,environment,app,token,defect
            0,apns,production,com.example.app,\(apns),none
            18446744073,fcm,,,\(fcm),unregistered
            12,apns,sandbox,com.example.other,not-a-token,malformed

            """
        #expect(String(decoding: write(FleetSource(try read(text))), as: UTF8.self) == text)
    }

    @Test func lanesAndMixComeBackAsTheyWere() throws {
        let seeded = FleetSource(try Fixture.fleet(size: 3000, defects: Fixture.everyDefect))
        let listed = FleetSource(try read(write(seeded)))
        let mix = FleetMix(of: seeded, positions: 0..<seeded.size)
        let again = FleetMix(of: listed, positions: 0..<listed.size)
        for lane in FleetLane.allCases {
            #expect(listed.laneCount(lane) == seeded.laneCount(lane))
            #expect(again.count(lane) == mix.count(lane))
            for defect in Defect.allCases { #expect(again.count(lane, defect) == mix.count(lane, defect)) }
            let lengths = try #require(mix.tokenLengths(lane))
            #expect(again.tokenLengths(lane).map { $0 == lengths } == true)
        }
        for kind in TokenKind.allCases { #expect(again.count(kind) == mix.count(kind)) }
    }
}

@Suite struct CSVFleetTests {
    @Test func ordinalsFollowTheFileAndStartAgain() throws {
        let fleet = FleetSource(
            try read("provider,app,environment,token\nfcm,,,\(fcm)\napns,a,sandbox,\(apns)\napns,a,sandbox,\(other)\n")
        )
        #expect(FleetLane.allCases.map { fleet.laneCount($0) } == [0, 2, 1])
        let tokens = (0..<UInt64(5)).map { token(of: fleet.device(lane: .apnsSandbox, ordinal: $0), in: fleet) }
        #expect(tokens == [apns, other, apns, other, apns])
        #expect((0..<UInt64(3)).map { fleet.deviceIndex(lane: .apnsSandbox, ordinal: $0) } == [1, 2, 1])
        #expect(fleet.deviceIndex(lane: .fcm, ordinal: .max) == 0)
    }

    @Test func aSeededSourceAnswersLikeItsFleet() throws {
        let fleet = try Fixture.fleet(size: 1000, defects: Fixture.everyDefect)
        let source = FleetSource(fleet)
        #expect(source.size == 1000)
        #expect(source.apps == ["com.example.app", "com.example.other"])
        for lane in FleetLane.allCases {
            #expect(source.laneCount(lane) == fleet.laneCount(lane))
            #expect(source.device(lane: lane, ordinal: 9) == fleet.device(lane: lane, ordinal: 9))
            #expect(source.deviceIndex(lane: lane, ordinal: 9) == fleet.deviceIndex(lane: lane, ordinal: 9))
        }
    }

    @Test func kindsOfTokensAreTold() throws {
        let seeded = try Fixture.fleet(size: 100)
        let synthetic = String(decoding: token(of: seeded.device(lane: .fcm, ordinal: 0), in: seeded), as: UTF8.self)
        let text =
            "provider,app,environment,token\nfcm,,,\(synthetic)\nfcm,,,\(fcm)\nfcm,,,\(apns)\napns,a,sandbox,\(apns)\n"
        let fleet = FleetSource(try read(text))
        let kinds = (0..<fleet.size).map { fleet.tokenKind(of: fleet.device(at: $0)) }
        #expect(kinds == [.synthetic, .foreign, .misshapen, .foreign])
    }

    @Test func manyAppsAreKeptApart() throws {
        let rows = (0..<300).map { "apns,production,app.\($0 % 150),\(apns)\n" }.joined()
        let fleet = try read("provider,environment,app,token\n" + rows)
        #expect(fleet.apps == (0..<150).map { "app.\($0)" })
        #expect((0..<UInt64(300)).map { fleet.device(atRow: $0).app } == (0..<300).map { $0 % 150 })
    }
}

@Suite struct FleetCSVFormatTests {
    static let header = "provider,environment,app,token\n"
    static let row = "apns,production,a,\(apns)"

    @Test(arguments: [
        "\(header)\(row)\n", "\(header)\(row)", "provider,environment,app,token\r\n\(row)\r\n",
        "\u{FEFF}\(header)\(row)\n",
        "\u{FEFF}\"provider\",environment,app,token\n\(row)\n", "\n\n\(header)\n\(row)\n\n\r\n",
        "token,app,environment,provider\n\(apns),a,production,apns\n",
        "\"provider\",\"environment\",\"app\",\"token\"\r\n\"apns\",\"production\",\"a\",\"\(apns)\"\r\n",
        "provider,environment,app,token,note\napns,production,a,\(apns),\"two\r\nlines, \"\"quoted\"\"\"\n",
        "index,provider,environment,app,token,defect\n0,apns,production,a,\(apns),none\n",
    ])
    func allowedFormsReadTheSame(text: String) throws {
        for piece in [1, 2, 5, Int.max] {
            let fleet = FleetSource(try read(text, piece: piece))
            #expect(fleet.size == 1 && fleet.apps == ["a"])
            let device = fleet.device(lane: .apnsProduction, ordinal: 0)
            #expect(device.index == 0 && device.defect == .none && token(of: device, in: fleet) == apns)
        }
    }

    @Test func whatIsLeftOutIsToldApart() throws {
        let whole = try read("note,\(Self.header)x,\(Self.row)\n")
        #expect(whole.ignoredColumns == ["note"] && !whole.endsWithoutNewline)
        let cut = try read("\(Self.header)\(Self.row)")
        #expect(cut.ignoredColumns == [] && cut.endsWithoutNewline)
    }

    @Test(
        arguments: [
            (
                "",
                "line 1: the file is empty; the first line must name the columns provider and token, "
                    + "and may name index, environment, app and defect"
            ),
            ("\n\n", "line 1: the file is empty"), (header, "line 2: there are no devices after the header"),
            ("provider,app\n", "line 1: there is no column token; the first line must name the columns"),
            ("provider,token,token\n", "line 1: the column token comes twice"),
            ("\(header)apns,production,a\n", "line 2: 3 fields where the header has 4"),
            ("\(header)\(row)\n\(row),\n", "line 3: 5 fields where the header has 4"),
            ("\(header)\(row)\napns,produ", "line 3: 2 fields where the header has 4"),
            ("\(header)\n\napns,\"production,a,\(apns)\n\(row)\n", "line 4: the file ends within quotes"),
            ("\(header)apns,pro\"duction,a,\(apns)\n", "line 2: a quote within a field that does not start with one"),
            ("\(header)apns,\"pro\"duction,a,\(apns)\n", "line 2: text after a closing quote"),
            ("\(header)apns,production\r,a,\(apns)\n", "line 2: a carriage return without a line feed"),
            ("\(header)\(row)\r", "line 2: the file ends in the middle of a line"),
            (
                "\(header)apns,\"\(String(repeating: "x\n", count: 4100))",
                "line 2: the row is longer than 8192 bytes; is a quote missing?"
            ),
            (
                "\(header)\(String(repeating: "x", count: 8193))",
                "line 2: the row is longer than 8192 bytes; is a quote missing?"
            ),
        ] as [(String, String)]
    )
    func otherFormsAreRefused(text: String, message: String) {
        for piece in [1, 2, 5, Int.max] {
            let error = #expect(throws: FleetCSVError.self) { try read(text, piece: piece) }
            #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test(arguments: [[0xFF, 0xFE, 0x70, 0], [0xFE, 0xFF, 0, 0x70], [0xEF, 0xBB, 0x70], [0xEF]] as [[UInt8]])
    func otherEncodingsAreRefused(bytes: [UInt8]) {
        #expect(throws: FleetCSVError.self) { try read(bytes) }
    }

    @Test(
        arguments: [
            ("x,apns,production,a,\(apns),none", "index: \"x\" is not allowed; give a whole number from 0"),
            ("-1,apns,production,a,\(apns),none", "index: \"-1\" is not allowed"),
            (",apns,production,a,\(apns),none", "index: \"\" is not allowed"),
            ("10000000000000000000,apns,production,a,\(apns),none", "index: \"10000000000000000000\" is not allowed"),
            ("0,gcm,production,a,\(apns),none", "provider: \"gcm\" is not allowed; give apns or fcm"),
            (
                "0,apns,prodution,a,\(apns),none",
                "environment: \"prodution\" is not allowed; give production or sandbox"
            ),
            ("0,apns,,a,\(apns),none", "environment: \"\" is not allowed; give production or sandbox"),
            ("0,fcm,sandbox,a,\(fcm),none", "environment: \"sandbox\" is not allowed; give nothing or production"),
            ("0,apns,production,,\(apns),none", "app: \"\" is not allowed; give 1 to 155 letters"),
            ("0,apns,production,a b,\(apns),none", "app: \"a b\" is not allowed"),
            ("0,fcm,,a\u{7},\(fcm),none", "app: \"a\\u{07}\" is not allowed"),
            (
                "0,fcm,,\(String(repeating: "y", count: 200)),\(fcm),none",
                "app: \"\(String(repeating: "y", count: 40))...\" is"
            ),
            ("0,apns,production,a,,none", "token: an empty token is not allowed; give 1 to 200 ASCII characters"),
            ("0,apns,production,a,0a1b2c3d4e5f 0,none", "token: 0a1b2c3d...#e9361d2d of 14 bytes is not allowed"),
            ("0,apns,production,a,é,none", "token: ??...#"),
            ("0,apns,production,a,\(String(repeating: "f", count: 201)),none", "token: ffffffff...#"),
            (
                "0,apns,production,a,\(apns),non",
                "defect: \"non\" is not allowed; give none, unregistered, wrongEnvironment"
            ),
        ] as [(String, String)]
    )
    func badValuesAreNamed(row: String, message: String) {
        let good = "7,fcm,,a,\(fcm),none\r\n"
        let text =
            "index,provider,environment,app,token,defect\r\n\(good)\"8\",fcm,,\"a\",\(fcm),none\r\n\(row)\r\n\(good)"
        let error = #expect(throws: FleetCSVError.self) { try read(text) }
        #expect(error?.line == 4)
        #expect(error?.description.hasPrefix("line 4, column \(message)") == true, "\(error?.description ?? "")")
    }

    @Test func tokensAreNotShown() {
        let secret = apns + "!" + String(repeating: "0123456789abcdef", count: 9)
        let error = #expect(throws: FleetCSVError.self) { try read("\(Self.header)apns,production,a,\(secret)\n") }
        #expect(error?.description.contains(apns) == false)
        #expect(TokenLabel(Array(apns.utf8)).description == "0a0a0a0a...#5ed5db45")
    }
}

@Suite struct FleetCSVRoutingTests {
    private func lanes(_ rows: [String], _ routing: CSVRouting) throws -> [FleetLane] {
        let text = (["provider,environment,token,app"] + rows).joined(separator: "\n") + "\n"
        let fleet = try read(Array(text.utf8), routing: routing)
        return (0..<fleet.size).map { fleet.device(atRow: $0).lane }
    }

    @Test func aDevicesOwnEnvironmentWinsOverItsApps() throws {
        let routing = CSVRouting(environments: ["com.example.beta": .sandbox, "com.example.app": .production])
        let rows = [
            "apns,,\(apns),com.example.beta", "apns,production,\(apns),com.example.beta",
            "apns,,\(apns),com.example.app", "apns,sandbox,\(apns),com.example.app", "fcm,,\(fcm),com.example.beta",
        ]
        #expect(
            try lanes(rows, routing) == [.apnsSandbox, .apnsProduction, .apnsProduction, .apnsSandbox, .fcm]
        )
    }

    @Test func withoutEitherItIsRefused() {
        for environments in [[:], ["com.example.app": Environment.sandbox]] {
            #expect(throws: FleetCSVError.self) {
                try lanes(["apns,,\(apns),com.example.beta"], CSVRouting(environments: environments))
            }
        }
    }

    @Test func aTokenOfAnotherShapeGoesToFCMIfTheProfileSaysSo() throws {
        let shapes = [
            apns, String(apns.dropLast()), String(apns.dropLast(2)), apns.uppercased(), apns + "zz", fcm,
            String(repeating: "0", count: 200), String(repeating: "0", count: 199),
        ]
        let rows = shapes.map { "apns,production,\($0),com.example.app" }
        let moved = try lanes(rows, CSVRouting(sendsMisshapenToFCM: true))
        #expect(
            moved == [.apnsProduction, .fcm, .fcm, .apnsProduction, .fcm, .fcm, .apnsProduction, .fcm]
        )
        #expect(try lanes(rows, CSVRouting()) == rows.map { _ in .apnsProduction })
    }
}
