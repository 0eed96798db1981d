import Foundation
import Hosts
import Testing

/// What the host takes for a well-formed body, against Foundation's JSON decoder and the API's own schema.
@Suite struct SendBodyTests {
    private func reason(_ body: String) -> FCMReason? {
        var fixture = FCMFixture()
        return fixture.answer(fixture.request(body)).reason
    }

    /// Any JSON may stand in `apns.payload`; whether it is JSON is for Foundation to say.
    @Test(arguments: [
        "{}", #"{"a":1}"#, #"{"a":[1,2,{"b":null}],"c":true,"d":false}"#, #"{"a":-0.5e+10}"#, #"{"a":"\u00e9\n\/"}"#,
        "{ \"a\" :\t[ ]\r\n}", #"{"a":"é漢🎉"}"#, #"{"a":1e5,"b":0,"c":-1}"#, #"{"a":"\ud83c\udf89"}"#,
        // Not JSON:
        "{", "}", #"{"a"}"#, #"{"a":}"#, #"{,}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#,
        #"{"a":"\x"}"#, #"{"a":"\u12"}"#, "{\"a\":\"\u{1}\"}", #"{"a":tru}"#, #"{"a":truex}"#, #"{"a":[1 2]}"#,
        #"{"a":"b}"#, #"{'a':1}"#, #"{"a":1}}"#, #"{"a":NaN}"#, #"{a:1}"#, #"{"a":1e}"#, #"{"a":-}"#,
    ])
    func jsonIsWhatFoundationTakesForJSON(_ text: String) {
        let isJSON = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
        let body = #"{"message":{"token":"\#(FCMFixture.deviceToken)","apns":{"payload":\#(text)}}}"#
        #expect(reason(body) == (isJSON ? nil : .invalidBody))
    }

    /// Foundation takes these, the standard (RFC 8259) does not.
    @Test(arguments: [#"{"a":1,}"#, #"{"a":[1,]}"#]) func trailingCommasAreRefused(_ text: String) {
        #expect(reason(#"{"message":{"topic":"t","apns":{"payload":\#(text)}}}"#) == .invalidBody)
    }

    @Test func everyPrefixOfABodyIsRefused() {
        let whole =
            #"{"message":{"token":"\#(FCMFixture.deviceToken)","data":{"ä":"\u00e9🎉"},"android":{"ttl":"3.5s"}}}"#
        #expect(reason(whole) == nil)
        let bytes = Array(whole.utf8)
        for length in 1..<bytes.count {
            var fixture = FCMFixture()
            let request = fixture.request("")
            request.body = Array(bytes[..<length])
            #expect(fixture.answer(request).reason == .invalidBody)
        }
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x28, 0xA1], [0xFF],
        ] as [[UInt8]]
    )
    func brokenUTF8IsRefused(_ bytes: [UInt8]) {
        var fixture = FCMFixture()
        let request = fixture.request("")
        request.body = Array(#"{"message":{"topic":"t","data":{"k":""#.utf8) + bytes + Array(#""}}}"#.utf8)
        #expect(fixture.answer(request).reason == .invalidBody)
    }

    @Test func nestingHasALimit() {
        func payload(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        #expect(reason(#"{"message":{"topic":"t","apns":{"payload":\#(payload(100))}}}"#) == nil)
        #expect(reason(#"{"message":{"topic":"t","apns":{"payload":\#(payload(101))}}}"#) == .invalidBody)
        #expect(reason(#"{"message":{"topic":"t","apns":{"payload":\#(payload(100_000))}}}"#) == .invalidBody)
    }

    /// One message with every field of the schema, in each of protobuf's spellings.
    @Test func everyFieldIsKnownInBothSpellings() throws {
        let text = #"""
            {"validate_only": false, "message": {
              "name": "x", "topic": "t", "data": {"a": "b"}, "token": null,
              "notification": {"title": "t", "body": "b", "image": "i"},
              "android": {"collapse_key": "c", "priority": "high", "ttl": "3.5s", "restricted_package_name": "p",
                "data": {"a": "b"}, "direct_boot_ok": true, "bandwidth_constrained_ok": true,
                "restricted_satellite_ok": false, "fcm_options": {"analytics_label": "l"},
                "notification": {"title": "t", "body": "b", "icon": "i", "color": "c", "sound": "s", "tag": "t",
                  "click_action": "c", "body_loc_key": "k", "body_loc_args": ["a"], "title_loc_key": "k",
                  "title_loc_args": [], "channel_id": "c", "ticker": "t", "sticky": true,
                  "event_time": "2026-01-01T00:00:00Z", "local_only": false, "notification_priority": "PRIORITY_MAX",
                  "default_sound": true, "default_vibrate_timings": true, "default_light_settings": true,
                  "vibrate_timings": ["1s", "0.5s"], "visibility": "PUBLIC", "notification_count": 3, "image": "i",
                  "light_settings": {"color": {"red": 1, "green": 0.5, "blue": 0, "alpha": 1e0},
                    "light_on_duration": "1s", "light_off_duration": "1s"},
                  "proxy": "ALLOW", "bypass_proxy_notification": true}},
              "webpush": {"headers": {"TTL": "1"}, "data": {"a": "b"}, "notification": {"title": 1},
                "fcm_options": {"link": "l", "analytics_label": "l"}},
              "apns": {"headers": {"apns-priority": "5"}, "payload": {"aps": {"badge": 1}},
                "live_activity_token": "t", "fcm_options": {"analytics_label": "l", "image": "i"}},
              "fcm_options": {"analytics_label": "l"}}}
            """#
        #expect(reason(text) == nil)
        let camel = text.replacing(/"([a-z]+(?:_[a-z]+)+)":/) { match in
            let words = match.1.split(separator: "_")
            return "\"" + words[0] + words[1...].map(\.capitalized).joined() + "\":"
        }
        #expect(camel.contains("restrictedPackageName") && camel.contains("validateOnly"))
        #expect(reason(camel) == nil)
    }

    @Test(arguments: [
        ("0s", true), ("3.5s", true), ("2419200s", true), ("2419200.000s", true), ("2419200.1s", false), ("-1s", false),
        ("-0s", true), ("1", false), ("s", false), ("1.s", false), (".5s", false), ("1.0123456789s", false),
        ("", false),
    ])
    func lifetimes(_ text: String, _ isAllowed: Bool) {
        let answer = reason(#"{"message":{"topic":"t","android":{"ttl":"\#(text)"}}}"#)
        #expect((answer == nil) == isAllowed)
    }

    @Test(arguments: [
        ("1", true), ("\"1\"", true), ("-3", true), ("1.0", true), ("1.5", false), ("2147483648", false),
        ("\"x\"", false),
        ("true", false), ("1e3", true),
    ])
    func counts(_ text: String, _ isAllowed: Bool) {
        let answer = reason(#"{"message":{"topic":"t","android":{"notification":{"notification_count":\#(text)}}}}"#)
        #expect((answer == nil) == isAllowed)
    }

    @Test func namesWithEscapesAreKnownToo() {
        #expect(reason(#"{"message":{"\u0074opic":"t"}}"#) == nil)
        #expect(reason(#"{"message":{"\u0074opics":"t"}}"#) == .invalidBody)
    }
}
