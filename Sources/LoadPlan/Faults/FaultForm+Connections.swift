extension FaultForm {
    /// Every fault, in the order in which they are listed.
    package static let all = streams + endings + answers + connections + limits + clocks

    /// Limits on streams.
    private static let streams = [
        FaultForm(
            knob: .firstStreams,
            value: .number(0...1_000_000),
            options: [Option("auth", .word(["token", "certificate"]), "Only on connections that authenticate so.")],
            target: .connection,
            hosts: HostLane.apns,
            meaning:
                "The stream limit that a connection is told first, until a push with a valid token was posted on it.",
            source: "Apple, Sending notification requests to APNs; jchambers/pushy#356: 1, then 500 or 1,000"
        ),
        FaultForm(
            knob: .cutStreams,
            value: .number(0...1_000_000),
            standard: "1",
            target: .connection,
            hosts: HostLane.apns,
            meaning: "A rejected push cuts the connection's stream limit to N; an accepted one restores it.",
            source: "jchambers/pushy#732, #486; lionheart/openradar-mirror#15649"
        ),
        FaultForm(
            knob: .noStreamLimit,
            target: .connection,
            hosts: HostLane.pushes,
            meaning: "SETTINGS say nothing of a stream limit, neither at first nor later.",
            source: "RFC 9113, section 6.5.2: then there is no limit; senders assume 100 to 1,000"
        ),
        FaultForm(
            knob: .excessStreams,
            value: .word(["refuse", "goaway", "ignore"]),
            target: .connection,
            hosts: HostLane.pushes,
            meaning:
                "A stream above the limit is refused (REFUSED_STREAM), answered with a GOAWAY that ends the connection, "
                + "or never answered. Without the fault it is refused.",
            source: "jchambers/pushy#356; developer.apple.com/forums/thread/54407; firebase/firebase-admin-node#2943"
        ),
    ]

    /// How connections end.
    private static let endings = [
        FaultForm(
            knob: .goAway,
            options: [
                Option("age", .time(0...Nanoseconds.day), "When the connection is so old, not at once."),
                Option("idle", .time(0...Nanoseconds.day), "When it has been idle for so long."),
                Option(
                    "last",
                    .number(-1_000_000...0),
                    "So many of the after=N requests, the last ones, are dropped: the last stream id lies below them."
                ),
                Option("code", .code, "The error code; NO_ERROR otherwise."),
                Option("reason", .text, "Debug data as APNs sends it: {\"reason\":\"TEXT\"}."),
                Option("text", .text, "Debug data as it stands; empty without reason or text."),
                Option("twice", .flag, "Two GOAWAY frames, one behind the other."),
                Option("open", .flag, "The socket stays open once the streams have been answered."),
            ],
            target: .connection,
            meaning: "GOAWAY: at once, after=N requests of the connection, or at an age or idle time. "
                + "What was taken before is answered, then the connection is closed.",
            source: "jchambers/pushy#865, #312, #20; parse-community/node-apn#140; node-apn/node-apn#685"
        ),
        FaultForm(
            knob: .disconnect,
            target: .connection,
            meaning: "The connection is cut without a word, at once or after=N requests.",
            source: "AndrewBarba/apns2#80 (ECONNRESET)"
        ),
        FaultForm(
            knob: .errorRatio,
            value: .share,
            options: [
                Option("window", .number(1...1_000_000), "Judged after each so many answers; 100 otherwise."),
                Option("bad-token", .number(1...1000), "How many errors one BadDeviceToken counts for; 2 otherwise."),
            ],
            target: .connection,
            hosts: HostLane.apns,
            meaning: "A connection with so large a share of errors is ended with an empty GOAWAY; 410 does not count.",
            source: "Apple, Sending notification requests to APNs; jchambers/pushy#312"
        ),
        FaultForm(
            knob: .pings,
            value: .number(0...1_000_000),
            options: [Option("within", .time(1...Nanoseconds.day), "In so long a time; 5m otherwise.")],
            target: .connection,
            meaning:
                "More PINGs than N, with no request in between, end the connection: ENHANCE_YOUR_CALM too_many_pings.",
            source: "codedge-llc/pigeon#92, #93"
        ),
        FaultForm(
            knob: .sessionTimeout,
            value: .time(1...Nanoseconds.day),
            target: .connection,
            meaning: "A connection without requests for so long ends with GOAWAY NO_ERROR session_timed_out.",
            source: "codedge-llc/pigeon#81"
        ),
    ]

    /// Connections that are slow or dead.
    private static let connections = [
        FaultForm(
            knob: .wedge,
            value: .number(0...1_000_000),
            standard: "3",
            target: .connection,
            hosts: HostLane.apns,
            meaning: "Once N requests of a connection were refused for an expired token or too many token updates, "
                + "nothing on it is answered any more.",
            source: "jchambers/pushy#476, #811"
        ),
        FaultForm(
            knob: .silence,
            value: .time(0...Nanoseconds.day),
            target: .connection,
            meaning:
                "A connection idle for so long is dead without notice: nothing is read or written, and it stays open.",
            source: "mozilla-services/autopush#1393; jchambers/pushy#811"
        ),
        FaultForm(
            knob: .window,
            value: .number(0...2_147_483_647),
            options: [
                Option("connection", .number(65_535...2_147_483_647), "The connection's window; 16 MiB otherwise."),
                Option(
                    "updates",
                    .word(["half", "each", "never"]),
                    "When WINDOW_UPDATE gives room back; half otherwise."
                ),
            ],
            target: .connection,
            meaning: "The flow-control window of each stream: so many bytes of a body may be on their way.",
            source: "sideshow/apns2#163; jchambers/pushy#356: updates of 32,822 bytes"
        ),
        FaultForm(
            knob: .slowTLS,
            value: .times,
            target: .connection,
            meaning: "The TLS handshake begins so much later.",
            source: "firebase/firebase-admin-node#2488; firebase/firebase-admin-java#785"
        ),
        FaultForm(
            knob: .roundTrip,
            value: .times,
            target: .connection,
            meaning:
                "The way to the host and back takes so long, one time for each connection: whatever comes is looked at "
                + "so much later, window updates included.",
            source: "sideshow/apns2#163: 64 KiB in flight make 200 pushes a second at 150 ms"
        ),
    ]
}
