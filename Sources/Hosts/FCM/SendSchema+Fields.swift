extension SendSchema {
    static let request = [
        Field("message", .object(.message), .message),
        Field("validate_only", camel: "validateOnly", .flag, .validateOnly),
    ]

    static let message = [
        Field("token", .text, .token),
        Field("notification", .object(.notification), .collapsing),
        Field("data", .textMap, .data),
        Field("android", .object(.android)),
        Field("apns", .object(.apns), .thirdParty),
        Field("webpush", .object(.webpush), .thirdParty),
        Field("fcm_options", camel: "fcmOptions", .object(.options)),
        Field("fid", .text, .fid),
        Field("topic", .text, .topic),
        Field("condition", .text, .condition),
        Field("name", .text),
    ]

    static let notification = [
        Field("title", .text, .payload), Field("body", .text, .payload), Field("image", .text, .payload),
    ]

    static let options = [Field("analytics_label", camel: "analyticsLabel", .text)]

    static let android = [
        Field("priority", .word(.messagePriority)),
        Field("ttl", .duration, .lifetime),
        Field("collapse_key", camel: "collapseKey", .text, .collapsing),
        Field("notification", .object(.androidNotification), .collapsing),
        Field("data", .textMap, .data),
        Field("restricted_package_name", camel: "restrictedPackageName", .text),
        Field("fcm_options", camel: "fcmOptions", .object(.options)),
        Field("direct_boot_ok", camel: "directBootOk", .flag),
        Field("bandwidth_constrained_ok", camel: "bandwidthConstrainedOk", .flag),
        Field("restricted_satellite_ok", camel: "restrictedSatelliteOk", .flag),
    ]

    static let androidNotification = [
        Field("title", .text, .payload), Field("body", .text, .payload), Field("image", .text, .payload),
        Field("icon", .text), Field("color", .text), Field("sound", .text), Field("tag", .text),
        Field("click_action", camel: "clickAction", .text),
        Field("body_loc_key", camel: "bodyLocKey", .text), Field("body_loc_args", camel: "bodyLocArgs", .texts),
        Field("title_loc_key", camel: "titleLocKey", .text), Field("title_loc_args", camel: "titleLocArgs", .texts),
        Field("channel_id", camel: "channelId", .text), Field("ticker", .text), Field("sticky", .flag),
        Field("event_time", camel: "eventTime", .timestamp), Field("local_only", camel: "localOnly", .flag),
        Field("notification_priority", camel: "notificationPriority", .word(.notificationPriority)),
        Field("default_sound", camel: "defaultSound", .flag),
        Field("default_vibrate_timings", camel: "defaultVibrateTimings", .flag),
        Field("default_light_settings", camel: "defaultLightSettings", .flag),
        Field("vibrate_timings", camel: "vibrateTimings", .durations), Field("visibility", .word(.visibility)),
        Field("notification_count", camel: "notificationCount", .integer),
        Field("light_settings", camel: "lightSettings", .object(.lightSettings)), Field("proxy", .word(.proxy)),
        Field("bypass_proxy_notification", camel: "bypassProxyNotification", .flag), Field("id", .integer),
    ]

    static let lightSettings = [
        Field("color", .object(.color)),
        Field("light_on_duration", camel: "lightOnDuration", .duration),
        Field("light_off_duration", camel: "lightOffDuration", .duration),
    ]

    static let color = [Field("red", .real), Field("green", .real), Field("blue", .real), Field("alpha", .real)]

    static let webpush = [
        Field("headers", .textMap), Field("data", .textMap, .data), Field("notification", .structure),
        Field("fcm_options", camel: "fcmOptions", .object(.webpushOptions)),
    ]

    static let webpushOptions = [Field("link", .text), Field("analytics_label", camel: "analyticsLabel", .text)]

    static let apns = [
        Field("headers", .textMap), Field("payload", .structure),
        Field("fcm_options", camel: "fcmOptions", .object(.apnsOptions)),
        Field("live_activity_token", camel: "liveActivityToken", .text),
    ]

    static let apnsOptions = [Field("image", .text), Field("analytics_label", camel: "analyticsLabel", .text)]
}

extension SendSchema.Words {
    /// The words, in lower case, at the index of their numbers.
    var known: [StaticString] {
        switch self {
        case .messagePriority: ["normal", "high"]
        case .notificationPriority:
            [
                "priority_unspecified", "priority_min", "priority_low", "priority_default", "priority_high",
                "priority_max",
            ]
        case .visibility: ["visibility_unspecified", "private", "public", "secret"]
        case .proxy: ["proxy_unspecified", "allow", "deny", "if_priority_lowered"]
        }
    }

    /// The enumeration's name in error messages.
    var typeName: String {
        let package = "type.googleapis.com/google.firebase.fcm.v1."
        switch self {
        case .messagePriority: return package + "AndroidConfig.AndroidMessagePriority"
        case .notificationPriority: return package + "AndroidNotification.NotificationPriority"
        case .visibility: return package + "AndroidNotification.Visibility"
        case .proxy: return package + "AndroidNotification.Proxy"
        }
    }
}
