import HTTP2
import Hosts

/// What a host says to every request under the canned policy: enough for a sender to go on.
struct CannedAnswer {
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// APNs says nothing but 200, FCM names a message.
    ///
    /// The token endpoint has none: it is never canned.
    init(of host: HostName, fcm: FCMBodyBook) {
        guard host == .fcm else { return }
        headers = FCMAnswer.headers(nil)
        body = fcm.success(.validated)
    }

    var template: ResponseTemplate {
        ResponseTemplate(status: 200, fields: headers.map { ResponseField($0.name, $0.value) }, body: body)
    }
}
