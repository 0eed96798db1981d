import LoadPlan
import Sending

/// Writing the JSON body of one FCM message around a token of 152 characters.
struct FCMBody: Benchmark {
    static let name = "push/fcm-body"

    private let message = BodyLayout(Array(Message().fcmBody(validateOnly: false).utf8))
    private let token = Memory(String(repeating: "a", count: 22) + ":APA91b" + String(repeating: "x", count: 123))
    private let body = Memory(byteCount: 4_096)

    func run(_ count: Int) -> UInt64 {
        var length = 0
        for _ in 0..<count {
            length &+= message.write(
                index: 0,
                token: UnsafeRawBufferPointer(token.bytes),
                app: UnsafeRawBufferPointer(start: nil, count: 0),
                into: body.bytes
            )
        }
        return UInt64(length) &+ UInt64(body.bytes[40])
    }
}
