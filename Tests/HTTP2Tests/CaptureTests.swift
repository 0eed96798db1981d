import Foundation
import TestSupport
import Testing

@testable import HTTP2

/// What a session puts on the wire, with tshark as the judge.
@Suite(.enabled(if: Program.find("tshark") != nil, "there is no tshark")) struct CaptureTests {
    /// Everything that a client session sends: templates that change, bodies, resets, PING, long header blocks, GOAWAY.
    private func conversation(_ kind: SessionKind) throws -> (capture: PacketCapture, frames: [ParsedFrame]) {
        let loopback = try Loopback(kind, slots: 64)
        let answer = loopback.server.prepare(
            ResponseTemplate(status: 200, fields: [ResponseField("server", "tests")], body: Array("{}".utf8))
        )
        var requests = 0
        loopback.onRequest = { server, stream, _ in
            requests += 1
            if requests % 7 == 0 {
                server.reset(stream, code: .internalError)
            } else {
                try server.respond(stream, answer)
            }
        }
        var capture = PacketCapture()
        var seen = (client: 0, server: 0)
        func record() {
            capture.add(Array(loopback.clientBytes[seen.client...]), fromClient: true)
            capture.add(Array(loopback.serverBytes[seen.server...]), fromClient: false)
            seen = (loopback.clientBytes.count, loopback.serverBytes.count)
        }
        for round in 0..<6 {
            for number in 0..<20 {
                let body = [UInt8](repeating: 0x20, count: number == 19 ? 50_000 : 7 * number)
                try loopback.submit(path: "/3/device/\(round)-\(number)", apnsID: "id-\(number)", body: body)
            }
            if round == 2 { try loopback.client.ping() }
            if round == 3 {
                let long = "bearer " + String(repeating: "x", count: 20_000)
                loopback.client.replaceField(named: "authorization", in: loopback.template, with: long)
            }
            if round == 4 {
                loopback.client.replaceField(named: "authorization", in: loopback.template, with: "bearer short")
            }
            // Given up after its request went out.
            let out = try loopback.clientOut()
            loopback.client.reset(slot: 3, code: .cancel)
            try loopback.serverIn(out)
            while try loopback.turn() { record() }
        }
        try loopback.client.goAway(code: .noError)
        while try loopback.turn() { record() }
        record()
        return (capture, ParsedFrame.parse(loopback.clientBytes) + ParsedFrame.parse(loopback.serverBytes))
    }

    @Test(arguments: SessionKind.allCases)
    func tsharkReadsEveryFrame(kind: SessionKind) throws {
        let (capture, frames) = try conversation(kind)
        let folder = try TemporaryFolder()
        try capture.file.write(to: URL(filePath: folder.path("session.pcap")))
        let read = ["-r", folder.path("session.pcap"), "-d", "tcp.port==\(PacketCapture.serverPort),http2"]

        let types = try tshark(read + ["-T", "fields", "-e", "http2.type"])
            .split { $0 == "\n" || $0 == "," }.compactMap { UInt8($0) }
        #expect(types.count == frames.count)
        for type in UInt8(0)...9 {
            #expect(types.count { $0 == type } == frames.count { $0.type == type }, "frames of type \(type)")
        }
        #expect(Set([0, 1, 3, 4, 6, 7, 9]).isSubset(of: types))

        // 8388608 is an expert's "error" (epan/proto.h, PI_ERROR).
        let complaints = "_ws.malformed || _ws.expert.severity >= 8388608"
        #expect(try tshark(read + ["-Y", complaints]) == "")
        let paths = try tshark(read + ["-T", "fields", "-e", "http2.headers.path"])
            .split { $0 == "\n" || $0 == "," }
        #expect(Set(paths).count == 120)
    }

    private func tshark(_ arguments: [String]) throws -> String {
        let outcome = try Program.run("tshark", arguments)
        try #require(outcome.code == 0, "\(outcome)")
        return outcome.output
    }
}
