import Push

/// Writing the `apns-id` of one push.
struct APNsIDText: Benchmark {
    static let name = "push/apns-id"

    private let text = Memory(byteCount: APNsID.length)

    func run(_ count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for push in 0..<count {
            APNsID.write(seed: 42, lane: 0, push: UInt64(push), into: text.bytes)
            sum &+= UInt64(text.bytes[7])
        }
        return sum
    }
}
