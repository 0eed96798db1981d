import Fleet

/// Making one FCM device of a mixed fleet with 2% defects, its registration token as text included.
struct FCMDevice: Benchmark {
    static let name = "fleet/fcm-device"

    private let devices: Devices

    init() throws { devices = try Devices(lane: .fcm) }

    func run(_ count: Int) -> UInt64 { devices.run(count) }
}
