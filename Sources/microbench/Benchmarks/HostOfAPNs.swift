import Fleet
import Hosts

/// Deciding on one push as the faithful APNs host does, 100,000 devices in turn; the token's signature is known.
struct HostOfAPNs: Benchmark {
    static let name = "hosts/apns-push"

    private static let now: Int64 = 1_793_523_600_000_000_000

    private var host: APNsHost
    private var connection = APNsHost.Connection()
    private let paths: HostTexts
    private let headers = [
        "POST", "bearer x", "com.example.app", "alert", "10", "123e4567-e89b-12d3-a456-4266554400a0",
    ]
    .map { Memory($0) }
    private let body = Memory(#"{"aps":{"alert":"hello"}}"#)

    init() throws {
        host = APNsHost(
            APNsHost.Configuration(
                environment: .production,
                keys: [ProviderKey(id: "ABC123DEFG", team: "TEAM123456")],
                bundleIDs: ["com.example.app"],
                startedAt: Self.now,
                seed: 1
            )
        )
        paths = try HostTexts(lane: .apnsProduction, before: "/3/device/", after: "")
    }

    mutating func run(_ count: Int) -> UInt64 {
        var request = HostRequest()
        request.method = UnsafeRawBufferPointer(headers[0].bytes)
        request.authorization = UnsafeRawBufferPointer(headers[1].bytes)
        request.apnsTopic = UnsafeRawBufferPointer(headers[2].bytes)
        request.apnsPushType = UnsafeRawBufferPointer(headers[3].bytes)
        request.apnsPriority = UnsafeRawBufferPointer(headers[4].bytes)
        request.apnsID = UnsafeRawBufferPointer(headers[5].bytes)
        request.body = UnsafeRawBufferPointer(body.bytes)
        request.bodyLength = body.bytes.count
        let token = ProviderTokenStanding.genuine(key: 0, issuedAt: Self.now, identity: 1)
        var accepted: UInt64 = 0
        for push in 0..<count {
            request.path = paths[push]
            let answer = host.answer(request, over: &connection, token: token, at: Self.now)
            accepted &+= answer.reason == nil ? 1 : 0
        }
        precondition(accepted == count, "a push was refused")
        return accepted
    }
}

/// What requests to 100,000 devices of a lane differ in, laid out beforehand.
struct HostTexts {
    static let devices = 100_000

    private let memory: Memory
    private let width: Int
    private let lengths: [Int]

    init(lane: FleetLane, before: String, after: String) throws {
        let fleet = Fleet(try FleetSpecification(seed: 42, size: UInt64(4 * Self.devices)))
        width = before.utf8.count + Fleet.maximumTokenLength + after.utf8.count
        memory = Memory(byteCount: width * Self.devices)
        var lengths = [Int](repeating: 0, count: Self.devices)
        for device in 0..<Self.devices {
            let start = device * width
            var end = start + before.utf8.count
            UnsafeMutableRawBufferPointer(rebasing: memory.bytes[start..<end]).copyBytes(from: before.utf8)
            let room = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[end..<end + Fleet.maximumTokenLength])
            end += fleet.writeToken(of: fleet.device(lane: lane, ordinal: UInt64(device)), into: room)
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[end..<end + after.utf8.count])
            rest.copyBytes(from: after.utf8)
            lengths[device] = end + after.utf8.count - start
        }
        self.lengths = lengths
    }

    subscript(push: Int) -> UnsafeRawBufferPointer {
        let device = push % Self.devices
        return memory.part(device * width..<device * width + lengths[device])
    }
}
