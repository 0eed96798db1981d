import Fleet
import Foundation
import Hosts
import Push
import Testing

@testable import MockHosts

/// Every reason of APNs' table, from the bytes of a request to status, headers and body.
@Suite struct APNsTableTests {
    static let id = "123e4567-e89b-12d3-a456-4266554400a0"
    static let device = String(repeating: "0123456789abcdef", count: 4)

    /// A request that is accepted, until a row changes it.
    struct Scene {
        let bench: HostBench
        var port = HostPort.apnsProduction
        var certificate: ClientCertificate?
        var headers: [(String, String)]
        var body = Array(#"{"aps":{"alert":"hello"}}"#.utf8)
        /// Provider tokens of pushes that were accepted on the connection before.
        var earlier: [String] = []
        /// How much time passes between those and the request.
        var pause: Int64 = 0
        /// What a fault has the host answer, whatever the request is.
        var fault: APNsReason?

        init(_ bench: HostBench) throws {
            self.bench = bench
            headers = [
                (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
                (":path", "/3/device/" + APNsTableTests.device),
                ("authorization", "bearer " + (try bench.providerToken())),
                ("apns-id", APNsTableTests.id), ("apns-topic", "com.example.app"), ("apns-push-type", "alert"),
                ("apns-priority", "10"),
            ]
        }

        subscript(name: String) -> String? {
            get { headers.first { $0.0 == name }?.1 }
            set {
                let place = headers.firstIndex { $0.0 == name }
                switch (place, newValue) {
                case (let place?, let value?): headers[place].1 = value
                case (let place?, nil): headers.remove(at: place)
                case (nil, let value?): headers.append((name, value))
                case (nil, nil): break
                }
            }
        }

        mutating func use(_ type: String, topic: String = "com.example.app", priority: String? = "10") {
            self["apns-push-type"] = type
            self["apns-topic"] = topic
            self["apns-priority"] = priority
        }

        mutating func authorize(_ token: String) { self["authorization"] = "bearer " + token }

        /// Sends to a device of a synthetic fleet.
        mutating func push(to defect: Defect, of lane: FleetLane = .apnsProduction) throws {
            self[":path"] = "/3/device/" + (try SyntheticDevice.token(defect, of: lane))
        }

        func response() throws -> RawHTTP2.Response {
            let sender = HostBench.Sender(port, certificate: certificate)
            for token in earlier {
                var before = self
                before.authorize(token)
                _ = try bench.send(before.headers, body: body, over: sender)
            }
            bench.now += pause
            return try bench.send(headers, body: body, over: sender) { deciders, request, answer in
                fault.map { .apns(deciders.production.refuse(request, $0)) } ?? answer
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        /// nil for a push that is accepted.
        var reason: String?
        var change: @Sendable (inout Scene) throws -> Void

        init(
            _ status: Int,
            _ reason: String?,
            _ name: String,
            _ change: @escaping @Sendable (inout Scene) throws -> Void
        ) {
            testDescription = "\(status) \(reason ?? "accepted"): \(name)"
            self.status = status
            self.reason = reason
            self.change = change
        }
    }

    @Test(arguments: rows + acceptedRows) func aRequestGetsItsAnswer(_ row: Row) throws {
        var scene = try Scene(HostBench())
        try row.change(&scene)
        let response = try scene.response()
        guard let reason = row.reason else {
            #expect(response.headers.prefix(2) == [":status: 200", "apns-id: \(Self.id)"])
            #expect(response.headers.count == (scene.port.host == .apnsSandbox ? 3 : 2))
            #expect(response.body == "")
            return
        }
        let id = reason == "BadMessageId" ? try #require(response.headers.dropFirst().first) : "apns-id: \(Self.id)"
        #expect(response.headers == [":status: \(row.status)", id, "content-type: application/json"])
        if row.status == 410 {
            let body = try #require(response.body.wholeMatch(of: /\{"reason":"([A-Za-z]+)","timestamp":(\d{13})\}/))
            #expect(String(body.1) == reason)
            let age = HostBench.start / 1_000_000 - (try #require(Int64(body.2)))
            #expect(age > 0 && age <= 30 * 24 * 3_600_000)
        } else {
            #expect(response.body == #"{"reason":"\#(reason)"}"#)
        }
    }

    /// A reason that nobody wrote a row for fails here.
    @Test func everyReasonHasARow() {
        #expect(Set(Self.rows.compactMap(\.reason)) == Set(APNsReason.allCases.map(\.rawValue)))
    }

    @Test func anIDIsMadeWhereNoneCame() throws {
        var scene = try Scene(HostBench())
        scene["apns-id"] = nil
        let response = try scene.response()
        #expect(response.headers.first == ":status: 200")
        #expect(
            response.headers.last?
                .wholeMatch(of: /apns-id: [0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil
        )
    }
}
