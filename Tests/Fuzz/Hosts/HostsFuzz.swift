// libFuzzer's target: what senders write into requests. Compiled together with the heads and bodies of HTTP/1.1 by
// scripts/fuzz, not by the package.

import Fleet

@testable import Hosts

/// Plays one input: its first byte says which parser gets the rest, whose fields are parted by bytes of 0xFF.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 1 else { return 0 }
    // In memory of its own size, so that reading past its end is found.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: count - 1, alignment: 1)
    defer { input.deallocate() }
    input.copyMemory(from: UnsafeRawBufferPointer(start: start + 1, count: count - 1))
    let rest = UnsafeRawBufferPointer(input)
    switch start.pointee & 7 {
    case 0, 1: Parsers.readMessage(rest)
    case 2, 3: Parsers.answerPush(rest)
    case 4: Parsers.readForm(rest)
    default: Parsers.readHTTP1(rest, seed: start.pointee)
    }
    return 0
}

/// Each parser with what it needs around it.
enum Parsers {
    /// The JSON body of a message to FCM.
    static func readMessage(_ bytes: UnsafeRawBufferPointer) {
        var reader = SendReader(bytes)
        do {
            try reader.read()
            precondition(reader.request.payloadSize >= 0, "a payload of a negative size")
            if reader.request.target != nil { reader.withTargetName { precondition($0.count <= bytes.count * 4) } }
        } catch {
            let body = FCMBodies(style: FCMBodyStyle(), projectNumber: "1", quota: 1).problem(error, in: bytes)
            precondition(!body.isEmpty, "a refusal without a body")
        }
    }

    private static let host = APNsHost(
        APNsHost.Configuration(
            environment: .sandbox,
            keys: [ProviderKey(id: "ABC123DEFG", team: "TEAM123456")],
            bundleIDs: ["com.example.app"],
            startedAt: 0,
            seed: 1
        )
    )

    /// A push to APNs, with a token that is in order.
    static func answerPush(_ bytes: UnsafeRawBufferPointer) {
        var fields = Fields(bytes)
        var request = HostRequest()
        let post: StaticString = "POST"
        request.method = UnsafeRawBufferPointer(start: post.utf8Start, count: post.utf8CodeUnitCount)
        request.path = fields.next()
        request.apnsTopic = fields.next()
        request.apnsPushType = fields.next()
        request.apnsPriority = fields.next()
        request.apnsExpiration = fields.next()
        request.apnsCollapseID = fields.next()
        request.apnsID = fields.next()
        request.authorization = fields.next()
        request.body = fields.next()
        request.bodyLength = request.body.count
        _ = BearerToken.find(in: request.authorization)
        var host = host
        var connection = APNsHost.Connection()
        let token = ProviderTokenStanding.genuine(key: 0, issuedAt: 0, identity: 1)
        let answer = host.answer(request, over: &connection, token: token, at: 1)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: APNsAnswer.longestBody, alignment: 1)
        defer { room.deallocate() }
        precondition(answer.writeBody(into: room) == 0 || answer.status >= 400, "a body for a push that was accepted")
    }

    /// The form of a token exchange.
    static func readForm(_ bytes: UnsafeRawBufferPointer) {
        for name in ["grant_type", "assertion", ""] {
            if let value = FormBody.value(of: name, in: bytes) { precondition(value.utf8.count <= bytes.count * 3) }
        }
    }

    /// Requests of HTTP/1.1, in pieces.
    static func readHTTP1(_ bytes: UnsafeRawBufferPointer, seed: UInt8) {
        let connection = HTTP1Connection()
        var rest = bytes
        var random = seed
        while true {
            random = random &* 13 &+ 7
            let count = random & 3 == 0 ? rest.count : min(rest.count, 1 + Int(random >> 2))
            guard connection.receive(UnsafeRawBufferPointer(rebasing: rest[..<count])) else { return }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            reading: while true {
                switch connection.advance() {
                case .incomplete, .awaitsGoOn: break reading
                case .broken(let status):
                    precondition((400..<600).contains(status), "refused with status \(status)")
                    return
                case .complete:
                    connection.withRequest { precondition($0.body.count <= bytes.count && !$0.method.isEmpty) }
                    connection.answered()
                }
            }
            if rest.isEmpty { return }
        }
    }
}

/// The fields of an input.
private struct Fields {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    mutating func next() -> UnsafeRawBufferPointer {
        let end = rest.firstIndex(of: 0xFF) ?? rest.count
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[min(rest.count, end + 1)...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<end])
    }
}
