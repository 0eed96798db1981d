import Fleet
import Push

/// Finding the error code in the body of an FCM refusal.
struct ReasonOfRefusal: Benchmark {
    static let name = "push/fcm-reason"

    private let body = Memory(
        """
        {"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND","details":[{"@type":\
        "type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}]}}
        """
    )

    func run(_ count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<count {
            sum &+= UInt64(ReasonParser.reason(in: UnsafeRawBufferPointer(body.bytes), from: .fcm)?.count ?? 0)
        }
        precondition(sum == 12 * UInt64(count), "the reason was not found")
        return sum
    }
}
