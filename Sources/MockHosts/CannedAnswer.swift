import HTTP2
import Hosts

/// What a host says to every request under the canned policy: enough for a sender to go on.
struct CannedAnswer {
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// APNs says nothing but 200, FCM names a message, the token endpoint gives out a token of the usual length.
    init(of host: HostName, fcm: FCMBodyBook, tokens: OAuthHost) {
        switch host {
        case .apnsProduction, .apnsSandbox:
            break
        case .fcm:
            headers = FCMAnswer.headers(nil)
            body = fcm.success(.validated)
        case .oauth:
            headers = OAuthAnswer.headers(nil)
            body = tokens.success(token: String(repeating: "canned-", count: 40).prefix(AccessTokens.length))
        }
    }

    var template: ResponseTemplate {
        ResponseTemplate(status: 200, fields: headers.map { ResponseField($0.name, $0.value) }, body: body)
    }
}
