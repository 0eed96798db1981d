import Fleet
import Hosts

/// A request written down, and the memory that its views point into.
final class WrittenRequest {
    var method = "POST"
    var path = ""
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var repeatsHeader = false
    /// What the wire carried, where the session kept less.
    var bodyLength: Int?
    private var memory: [UnsafeMutableRawBufferPointer] = []

    init(path: String, headers: [String: String] = [:], body: String = "") {
        self.path = path
        self.headers = headers
        self.body = Array(body.utf8)
    }

    deinit {
        for block in memory { block.deallocate() }
    }

    /// The view that a host gets; valid as long as this object lives.
    var view: HostRequest {
        var request = HostRequest()
        request.method = keep(method)
        request.path = keep(path)
        request.authorization = header("authorization")
        request.apnsID = header("apns-id")
        request.apnsTopic = header("apns-topic")
        request.apnsPushType = header("apns-push-type")
        request.apnsPriority = header("apns-priority")
        request.apnsExpiration = header("apns-expiration")
        request.apnsCollapseID = header("apns-collapse-id")
        request.contentType = header("content-type")
        request.body = keep(body)
        request.bodyLength = bodyLength ?? body.count
        request.repeatsHeader = repeatsHeader
        return request
    }

    private func header(_ name: String) -> UnsafeRawBufferPointer { keep(headers[name] ?? "") }

    private func keep(_ text: String) -> UnsafeRawBufferPointer { keep(Array(text.utf8)) }

    private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        block.copyBytes(from: bytes)
        memory.append(block)
        return UnsafeRawBufferPointer(block)
    }
}

/// The tokens of one device per defect, from a seeded fleet.
struct DefectiveTokens {
    static let topics = ["com.example.app", "com.example.other"]
    static let project = "example-project"

    private let fleet: Fleet

    init(_ defect: Defect) throws {
        var defects = FleetSpecification.Defects()
        switch defect {
        case .none: break
        case .unregistered: defects.unregistered = 1
        case .wrongEnvironment: defects.wrongEnvironment = 1
        case .malformed: defects.malformed = 1
        case .wrongTopic: defects.wrongTopic = 1
        case .otherSender: defects.otherSender = 1
        }
        fleet = Fleet(
            try FleetSpecification(
                seed: 7,
                size: 1000,
                apps: Self.topics.map { .init(topic: $0) },
                project: Self.project,
                longTokenShare: 0.3,
                longestToken: 200,
                defects: defects
            )
        )
    }

    /// Devices of a lane: their tokens and the topics of their apps.
    func devices(of lane: FleetLane, count: UInt64 = 50) -> [(token: String, topic: String)] {
        (0..<count)
            .map { ordinal in
                let device = fleet.device(lane: lane, ordinal: ordinal)
                let token = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
                    let length = fleet.writeToken(of: device, into: buffer)
                    return String(decoding: buffer[0..<length], as: UTF8.self)
                }
                return (token, Self.topics[device.app])
            }
    }
}
