extension FaultForm {
    /// What happens to single requests.
    static let answers = [
        FaultForm(
            knob: .reset,
            value: .code,
            standard: "REFUSED_STREAM",
            options: [
                Option("when", .word(["before", "after"]), "Before the push is accepted, or after; before otherwise.")
            ],
            target: .request,
            meaning: "RST_STREAM in place of an answer; HTTP/1.1 connections are closed.",
            source: "edamov/pushok#169, #165; codedge-llc/pigeon#84; AndrewBarba/apns2#80; jchambers/pushy#486"
        ),
        FaultForm(
            knob: .stall,
            target: .request,
            meaning: "The request is taken, but neither accepted nor ever answered.",
            source: "jchambers/pushy#816; kylebrowning/APNSwift#93"
        ),
        FaultForm(
            knob: .acceptThenFail,
            value: .word(["unavailable", "internal", "nothing"]),
            standard: "unavailable",
            target: .request,
            hosts: HostLane.pushes,
            meaning: "The push is accepted and delivered, but the answer is 503, 500, or none at all: "
                + "whoever sends it again makes a duplicate.",
            source: "firebase/firebase-admin-node#1248, #346, #1947, #1900"
        ),
        FaultForm(
            knob: .answer,
            value: .word(apnsRefusals + fcmRefusals + oauthRefusals),
            target: .request,
            meaning: "The request is answered with that reason, whatever is in it, by the hosts that have it. APNs: "
                + apnsRefusals.joined(separator: ", ") + ". FCM: " + fcmRefusals.joined(separator: ", ")
                + ". The token endpoint: " + oauthRefusals.joined(separator: ", ") + ".",
            source: "firebase/firebase-admin-node#2604; Apple, Handling notification responses from APNs"
        ),
        FaultForm(
            knob: .retryAfter,
            value: .time(0...Nanoseconds.day),
            options: [Option("as", .word(["seconds", "date", "absent"]), "How it is written; seconds otherwise.")],
            target: .request,
            meaning: "Answers of 429 and 503 carry Retry-After, in whole seconds or as a date, or none.",
            source: "firebase/firebase-admin-node#43; Firebase, Scale FCM; RFC 9110, section 10.2.3"
        ),
        FaultForm(
            knob: .serviceTime,
            value: .times,
            target: .request,
            meaning: "How long an answer takes, in place of the profile's; with lane=oauth a slow token endpoint.",
            source: "jchambers/pushy#732; firebase/firebase-admin-java#842"
        ),
    ]

    /// What strikes a host as a whole.
    static let clocks = [
        FaultForm(
            knob: .freeze,
            target: .host,
            meaning:
                "The host stands still from one time to another: nothing is accepted, read or answered, and goes on after.",
            source: "a garbage collection or a fail-over at the host; firebase/firebase-admin-node#2488 (10 to 30 s)"
        ),
        FaultForm(
            knob: .certificate,
            value: .word(["expired", "other-name"]),
            target: .standing,
            meaning: "The host shows a certificate that expired yesterday, or one for another name.",
            source: "whoever does not check certificates sends to anybody; RFC 9325, section 6"
        ),
        FaultForm(
            knob: .revokeTokens,
            target: .host,
            hosts: [HostLane.oauth],
            meaning: "All access tokens given out by then are void from that time on: 401.",
            source: "Google, Using OAuth 2.0 for Server to Server Applications: tokens can be revoked at any time"
        ),
        FaultForm(
            knob: .clockSkew,
            value: .number(-86_400...86_400),
            target: .mock,
            meaning: "The hosts' clock is N seconds ahead of this machine's, or behind it.",
            source: "node-apn/node-apn#590; MihaelIsaev/FCM#19"
        ),
        FaultForm(
            knob: .accessTokenLife,
            value: .time(1_000_000_000...Nanoseconds.day),
            target: .mock,
            meaning: "How long access tokens last, and what expires_in says.",
            source: "rpush keeps them for 59 minutes whatever expires_in says"
        ),
        FaultForm(
            knob: .tokenClock,
            value: .number(1...3600),
            target: .mock,
            meaning: "Divides the 20 and 60 minutes of provider tokens and the life of access tokens; "
                + "as tokenClockScale in a profile.",
            source: "jchambers/pushy#811, #476; AndrewBarba/apns2#44: what shows after an hour shows within seconds"
        ),
    ]

    /// The reasons that need no fault in the request, by host.
    package static let apnsRefusals = [
        "Forbidden", "IdleTimeout", "ExpiredProviderToken", "TooManyProviderTokenUpdates", "TooManyRequests",
        "InternalServerError", "ServiceUnavailable", "Shutdown",
    ]
    package static let fcmRefusals = [
        "QUOTA_EXCEEDED", "RATE_LIMIT_EXCEEDED", "THIRD_PARTY_AUTH_ERROR", "INTERNAL", "UNAVAILABLE",
        "UNSPECIFIED_ERROR",
        "bad-gateway",
    ]
    package static let oauthRefusals = [
        "unauthorized_client", "internal_failure", "temporarily_unavailable", "bad-gateway",
    ]

    /// Those of one host.
    static func refusals(of host: String) -> [String] {
        if host == HostLane.oauth { return oauthRefusals }
        return LaneName.isAPNs(host) ? apnsRefusals : fcmRefusals
    }
}
