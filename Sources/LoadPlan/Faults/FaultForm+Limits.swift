extension FaultForm {
    private static let per = Option("per", .time(1...Nanoseconds.day), "In so long a time; 1m otherwise.")

    /// Limits and spellings of hosts.
    static let limits = [
        FaultForm(
            knob: .quota,
            value: .number(0...1_000_000_000),
            options: [
                per,
                Option(
                    "phase",
                    .time(0...Nanoseconds.day),
                    "Where in that time it is refilled; by the seed otherwise."
                ),
            ],
            target: .standing,
            hosts: [LaneName.fcm],
            meaning: "What the project may send, refilled in full; 600,000 a minute without the fault.",
            source: "Firebase, Throttling and quotas; firebase/firebase-admin-go#719"
        ),
        FaultForm(
            knob: .deviceLimit,
            value: .number(0...1_000_000_000),
            options: [per],
            target: .standing,
            hosts: HostLane.pushes,
            meaning: "What one device may get: TooManyRequests of APNs, QUOTA_EXCEEDED of FCM above it.",
            source: "jchambers/pushy#302; Firebase, Throttling and quotas"
        ),
        FaultForm(
            knob: .topicLimit,
            value: .number(0...1_000_000_000),
            options: [per],
            target: .standing,
            hosts: [LaneName.fcm],
            meaning: "What may be sent to topics and conditions.",
            source: "binwiederhier/ntfy#289"
        ),
        FaultForm(
            knob: .errorDetails,
            value: .word(["first", "last"]),
            options: [Option("no-quota-failure", .flag, "A 429 does not say which quota is spent.")],
            target: .standing,
            hosts: [LaneName.fcm],
            meaning: "Whether details begin or end with the FcmError; they end with it without the fault.",
            source: "eladnava/fcm-v1-http2 reads details[0]; firebase/firebase-admin-go#736"
        ),
        FaultForm(
            knob: .noThirdPartyCredential,
            target: .standing,
            hosts: [LaneName.fcm],
            meaning: "The project has no good credential for APNs and web push: THIRD_PARTY_AUTH_ERROR.",
            source: "Firebase, ErrorCode"
        ),
        FaultForm(
            knob: .idleTimeout,
            value: .time(1...Nanoseconds.day),
            target: .standing,
            hosts: HostLane.apns,
            meaning: "The first request after so long a time is answered IdleTimeout.",
            source: "Apple, Handling notification responses from APNs"
        ),
        FaultForm(
            knob: .expiredTokens,
            value: .share,
            target: .standing,
            hosts: HostLane.apns,
            meaning:
                "Of the devices that are gone, so large a share is answered ExpiredToken, the others Unregistered.",
            source: "Apple, Handling notification responses from APNs"
        ),
        FaultForm(
            knob: .keySpelling,
            value: .word(["documented", "live"]),
            target: .standing,
            hosts: HostLane.apns,
            meaning: "A key of the other environment is called BadEnvironmentKeyIdInToken or BadEnvironmentKeyInToken; "
                + "the latter without the fault.",
            source: "kylebrowning/APNSwift#229"
        ),
    ]
}
