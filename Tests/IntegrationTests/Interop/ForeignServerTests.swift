import Foundation
import TestSupport
import Testing

extension Processes {
    /// Runs against servers that share no code with ours: bodies, trailers, padding, resets, stream limits, GOAWAY.
    @Suite("Foreign servers") struct ForeignServerTests {
        private static let pushes = 400

        /// Where no push is lost: the server answers each of them, in its own way.
        struct Case: CustomTestStringConvertible, Sendable {
            var what: String
            var server: ForeignServer.Kind
            var configuration: [String]
            var payloadBytes = 126
            var status: String
            var reason = ""

            var testDescription: String { "\(server.rawValue): \(what)" }
        }

        static let cases: [Case] = [
            Case(
                what: "echoes bodies, with padding and trailers",
                server: .nghttpd,
                configuration: ["-m", "16", "--echo-upload", "-b", "40", "--trailer", "x-end: yes"],
                payloadBytes: 4000,
                status: "200"
            ),
            Case(
                what: "takes bodies through small windows",
                server: .nghttpd,
                configuration: ["-m", "100", "--echo-upload", "-w", "10", "-W", "12"],
                payloadBytes: 4000,
                status: "200"
            ),
            Case(
                what: "answers before it has the body, without a header table",
                server: .nghttpd,
                configuration: ["-m", "16", "--early-response", "-c", "0", "-d", "."],
                status: "404",
                reason: "(html)"
            ),
            Case(
                what: "answers and resets what it does not read",
                server: .nginx,
                configuration: [
                    "http2_max_concurrent_streams 16; keepalive_requests 10000; client_max_body_size 1k;",
                    "error_page 413 /large;",
                    "location = /large { return 413; }",
                    "location / { default_type application/json; return 410 '{\"reason\":\"Unregistered\"}'; }",
                ],
                payloadBytes: 4000,
                status: "410",
                reason: "Unregistered"
            ),
        ]

        @Test(arguments: cases.filter { $0.server.program != nil }, ["direct", "nghttp2"])
        func everyPushIsAnswered(item: Case, http2: String) throws {
            let bench = try Workbench()
            let server = try ForeignServer(item.server, in: bench, item.configuration)
            let result = try server.receive(
                pushes: Self.pushes,
                payloadBytes: item.payloadBytes,
                http2: http2,
                in: bench
            )
            try result.checkAccounting()
            let endings = try result.endings().map { "\($0.key.status) \($0.key.reason): \($0.value)" }
            #expect(endings == ["\(item.status) \(item.reason): \(Self.pushes)"])
            #expect(try result.connections.rows.allSatisfy { try $0.count("resets") == 0 })
            _ = try server.end()
        }

        /// nginx says GOAWAY after a number of requests, and ignores those that are on their way.
        @Test(
            .enabled(if: ForeignServer.Kind.nginx.program != nil, "there is no nginx"),
            arguments: ["direct", "nghttp2"]
        )
        func nginxSaysGoAway(http2: String) throws {
            let bench = try Workbench()
            let server = try ForeignServer(
                .nginx,
                in: bench,
                ["http2_max_concurrent_streams 16; keepalive_requests 100;", "location / { return 200; }"]
            )
            let result = try server.receive(pushes: Self.pushes, payloadBytes: 126, http2: http2, in: bench)
            try result.checkAccounting()
            #expect(try result.total("unanswered") == 0)
            // What GOAWAY left out was sent again, as often as the rules allow.
            let known: Set = ["200 ", " stream refused"]
            #expect(try Set(result.endings().keys.map { "\($0.status) \($0.reason)" }).isSubset(of: known))
            let rows = result.connections.rows
            #expect(rows.count { $0["goaway_code"] == "0" } >= 3)
            #expect(try rows.allSatisfy { try $0.count("peak_streams") <= 16 })
            _ = try server.end()
        }

        private struct NodeCounts: Decodable {
            let streams: Int
            let refused: Int
            let broken: Int
            let sessions: Int
        }

        /// Node's server refuses, breaks off, says something first, ends sessions; its own counts are the judge.
        @Test(
            .enabled(if: ForeignServer.Kind.node.program != nil, "there is no node"),
            arguments: ["direct", "nghttp2"]
        )
        func nodeResets(http2: String) throws {
            let bench = try Workbench()
            let server = try ForeignServer(
                .node,
                in: bench,
                [
                    "const turn = counts.streams % 10;",
                    "if (turn === 1) { counts.refused += 1; return stream.close(constants.NGHTTP2_REFUSED_STREAM); }",
                    "if (turn === 2) { counts.broken += 1; return stream.close(constants.NGHTTP2_INTERNAL_ERROR); }",
                    "if (turn === 3) stream.additionalHeaders({ ':status': 103 });",
                    "stream.respond({ ':status': 200 }); stream.end('x'.repeat(20000));",
                    "if (session.count === 100) session.close();",
                ]
            )
            let result = try server.receive(pushes: Self.pushes, payloadBytes: 126, http2: http2, in: bench)
            let counts = try JSONDecoder().decode(NodeCounts.self, from: Data(server.end().utf8))
            try result.checkAccounting()
            #expect(try result.total("unanswered") == 0)
            let endings = Dictionary(
                uniqueKeysWithValues: try result.endings().map { ("\($0.key.status) \($0.key.reason)", $0.value) }
            )
            #expect(Set(endings.keys).isSubset(of: ["200 ", " stream reset: INTERNAL_ERROR", " stream refused"]))
            #expect(endings[" stream reset: INTERNAL_ERROR"] == counts.broken)
            #expect(counts.broken > 0 && counts.refused > 0 && counts.sessions > 2)
            // No stream is begun before the server's limit is known, and none beyond it.
            let rows = result.connections.rows
            let used = try rows.filter { try $0.count("streams") > 0 }
            #expect(try used.allSatisfy { try $0.count("peak_streams") <= 30 && $0["peer_limit_max"] == "30" })
            #expect(rows.contains { $0["goaway_code"] == "0" })
            // Refused by RST_STREAM; what GOAWAY left out is counted with its connection.
            #expect(try rows.reduce(0) { $0 + (try $1.count("resets")) } >= counts.broken)
        }
    }
}
