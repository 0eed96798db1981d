import Foundation
import MockHosts
import Push
import TestSupport
import Testing

/// The http2 module of Node, on which most senders in JavaScript stand.
@Suite(.enabled(if: Python.isInstalledForTests || Program.find("node") != nil, "there is no node"))
struct NodeTests {
    /// Runs a script that has `post`, which resolves to status, reason and the session's stream limit.
    private func node(_ script: String, _ mock: MockFixture) throws -> String {
        let start = """
            const http2 = require('http2'), fs = require('fs'), env = process.env;
            const connect = (url, more) => http2.connect(url, {ca: fs.readFileSync(env.CA), ...more});
            const post = (session, path, headers, body) => new Promise((resolve, reject) => {
                const request = session.request({':method': 'POST', ':path': path, ...headers});
                let status, text = '';
                request.on('response', headers => { status = headers[':status']; });
                request.on('data', chunk => { text += chunk; });
                request.on('end', () => resolve([status, text, session.remoteSettings.maxConcurrentStreams]));
                request.on('error', reject);
                request.end(body);
            });
            """
        let body = "(async () => {\n\(script)\n})().catch(error => { console.error(error); process.exit(1); });"
        let outcome = try Program.run(
            "node",
            ["-e", start + body],
            environment: [
                "CA": mock.announcement.ca, "APNS": mock.url(.apnsProduction), "FCM": mock.url(.fcm),
                "TOKEN": try mock.providerToken(), "DEVICE": GoodRequest.apnsPath, "BODY": GoodRequest.payload,
                "CERTIFICATE": mock.announcement.apns.certificate, "FCM_PATH": GoodRequest.fcmPath,
            ]
        )
        try #require(outcome.code == 0, "\(outcome)")
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func pushesAreAcceptedAndRefused() throws {
        let mock = try MockFixture()
        let script = """
            const session = connect(env.APNS);
            const headers = {authorization: 'bearer ' + env.TOKEN, 'apns-topic': 'com.example.app'};
            const all = [];
            for (let i = 0; i < 200; i++) all.push(post(session, i % 10 ? env.DEVICE : '/3/device/xyz', headers, env.BODY));
            const counts = {};
            for (const [status, text, limit] of await Promise.all(all)) counts[status + text] = (counts[status + text] || 0) + 1;
            console.log(JSON.stringify(counts), session.remoteSettings.maxConcurrentStreams);
            session.close();
            """
        #expect(
            try node(script, mock) == #"{"200":180,"400{\"reason\":\"BadDeviceToken\"}":20} 1000"#
        )
        let summary = try mock.stop()
        #expect(summary.refusedStreams == 0)
        #expect(summary.connections(.apnsProduction)?.accepted == 1)
    }

    /// A certificate out of a PKCS#12 file, and no token.
    @Test func aCertificateIsEnough() throws {
        let mock = try MockFixture()
        let script = """
            const session = connect(env.APNS, {pfx: fs.readFileSync(env.CERTIFICATE), passphrase: ''});
            const good = await post(session, env.DEVICE, {}, env.BODY);
            const bad = await post(session, env.DEVICE, {'apns-topic': 'com.example.other'}, env.BODY);
            console.log(...good, ...bad);
            session.close();
            """
        #expect(try node(script, mock) == #"200  1000 400 {"reason":"TopicDisallowed"} 1000"#)
    }

    @Test func fcmRefusesWhoHasNoAccessToken() throws {
        let mock = try MockFixture()
        let script = """
            const session = connect(env.FCM);
            const [status, text, limit] = await post(session, env.FCM_PATH, {'content-type': 'application/json'}, '{}');
            console.log(status, JSON.parse(text).error.status, limit);
            session.close();
            """
        #expect(try node(script, mock) == "401 UNAUTHENTICATED 100")
    }
}
