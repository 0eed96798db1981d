import Foundation
import MockHosts
import Push
import TestSupport
import Testing

/// Senders from PyPI, unmodified but for host, port and certificate authority.
@Suite struct PythonTests {
    private func python(_ script: String, _ mock: MockFixture) throws -> String {
        let apns = mock.announcement.apns
        let output = try Python.run(
            script,
            environment: [
                "CA": mock.announcement.ca, "SSL_CERT_FILE": mock.announcement.ca,
                "REQUESTS_CA_BUNDLE": mock.announcement.ca, "APNS": mock.url(.apnsProduction), "FCM": mock.url(.fcm),
                "OAUTH": mock.url(.oauth), "KEY": apns.key, "KEY_ID": apns.keyId, "TEAM": apns.teamId,
                "ACCOUNT": mock.announcement.fcm.serviceAccount, "TOKEN": try mock.providerToken(),
                "DEVICE": GoodRequest.deviceToken, "REGISTRATION": GoodRequest.fcmToken,
            ]
        )
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// aioapns matches answers to pushes by the echoed `apns-id`.
    @Test(.enabled(if: Python.hasModules("aioapns"))) func aioapns() throws {
        let mock = try MockFixture()
        let script = """
            import asyncio, os, ssl
            from urllib.parse import urlparse
            from aioapns import APNs, NotificationRequest
            from aioapns.connection import APNsProductionClientProtocol
            url = urlparse(os.environ["APNS"])
            APNsProductionClientProtocol.APNS_SERVER = url.hostname
            APNsProductionClientProtocol.APNS_PORT = url.port
            async def main():
                context = ssl.create_default_context(cafile=os.environ["CA"])
                apns = APNs(key=open(os.environ["KEY"]).read(), key_id=os.environ["KEY_ID"], team_id=os.environ["TEAM"],
                            topic="com.example.app", use_sandbox=False, ssl_context=context)
                def request(device):
                    return NotificationRequest(device_token=device, message={"aps": {"alert": "hello"}})
                tokens = [os.environ["DEVICE"]] * 50 + ["abc"]
                answers = await asyncio.gather(*(apns.send_notification(request(token)) for token in tokens))
                print(sorted(set((answer.status, answer.description or '') for answer in answers)))
            asyncio.run(main())
            """
        let answers = try python(script, mock)
        #expect(answers == "[('200', ''), ('400', 'BadDeviceToken')]")
        let summary = try mock.stop()
        #expect(summary.count(.apnsProduction, 200) == 50)
        #expect(summary.count(.apnsProduction, 400, "BadDeviceToken") == 1)
    }

    @Test(.enabled(if: Python.hasModules("httpx, h2"))) func httpxOverHTTP2() throws {
        let mock = try MockFixture()
        let script = """
            import os, ssl, httpx
            context = ssl.create_default_context(cafile=os.environ["CA"])
            with httpx.Client(http2=True, verify=context) as client:
                headers = {"authorization": "bearer " + os.environ["TOKEN"], "apns-topic": "com.example.app"}
                url = os.environ["APNS"] + "/3/device/"
                good = client.post(url + os.environ["DEVICE"], headers=headers, json={"aps": {}})
                bad = client.post(url + "xyz", headers=headers, json={"aps": {}})
                print(good.http_version, good.status_code, bad.status_code, bad.json()["reason"])
            """
        let answers = try python(script, mock)
        #expect(answers == "HTTP/2 200 400 BadDeviceToken")
    }

    /// firebase-admin exchanges its own credential at our token endpoint and sends over HTTP/1.1.
    @Test(.enabled(if: Python.hasModules("firebase_admin"))) func firebaseAdmin() throws {
        let mock = try MockFixture()
        let script = """
            import os, firebase_admin
            from firebase_admin import credentials, messaging
            from firebase_admin.messaging import _MessagingService
            _MessagingService.FCM_URL = os.environ["FCM"] + "/v1/projects/{0}/messages:send"
            firebase_admin.initialize_app(credentials.Certificate(os.environ["ACCOUNT"]))
            message = messaging.MulticastMessage(
                tokens=[os.environ["REGISTRATION"]] * 20 + ["nonsense"],
                notification=messaging.Notification(title="t", body="b"), data={"k": "v"},
                android=messaging.AndroidConfig(priority="high", ttl=3600, collapse_key="c"))
            batch = messaging.send_each_for_multicast(message)
            print(batch.success_count, batch.failure_count, type(batch.responses[-1].exception).__name__,
                  batch.responses[0].message_id.startswith("projects/example-project/messages/0:"))
            """
        let answers = try python(script, mock)
        #expect(answers == "20 1 InvalidArgumentError True")
        #expect(try mock.stop().count(.oauth, 200) >= 1)
    }
}
