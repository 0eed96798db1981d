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
            hosts: HostLane.apns,
            meaning: "The push is accepted and delivered, but the answer is 503, 500, or none at all: "
                + "whoever sends it again makes a duplicate.",
            source: "firebase/firebase-admin-node#1248, #346, #1947, #1900"
        ),
        FaultForm(
            knob: .answer,
            value: .word(refusals),
            target: .request,
            hosts: HostLane.apns,
            meaning: "The request is answered with that reason, whatever is in it.",
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

    /// The reasons of APNs that need no fault in the request.
    static let refusals = [
        "Forbidden", "IdleTimeout", "ExpiredProviderToken", "TooManyProviderTokenUpdates", "TooManyRequests",
        "InternalServerError", "ServiceUnavailable", "Shutdown",
    ]
}
