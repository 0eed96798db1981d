import Fleet
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
                "DEVICE": GoodRequest.deviceToken, "SANDBOX": mock.url(.apnsSandbox),
                "BOTH": mock.folder + "/apns.pem", "SANDBOX_ONLY": mock.folder + "/apns-sandbox.pem",
                "GONE": try SyntheticDevice.token(.unregistered, of: .fcm),
                "FOREIGN": try SyntheticDevice.token(.otherSender, of: .fcm),
            ]
        )
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// aioapns matches answers to pushes by the echoed `apns-id`.
    @Test(.enabled(if: Python.runsTests(by: "aioapns"))) func aioapns() throws {
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

    @Test(.enabled(if: Python.runsTests(by: "httpx, h2"))) func httpxOverHTTP2() throws {
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

    /// aioapns with a push certificate in place of a key, against both environments.
    @Test(.enabled(if: Python.runsTests(by: "aioapns"))) func aioapnsWithACertificate() throws {
        let mock = try MockFixture()
        let script = """
            import asyncio, os, ssl
            from urllib.parse import urlparse
            from aioapns import APNs, NotificationRequest
            from aioapns.connection import APNsDevelopmentClientProtocol, APNsProductionClientProtocol
            for protocol, name in (APNsProductionClientProtocol, "APNS"), (APNsDevelopmentClientProtocol, "SANDBOX"):
                url = urlparse(os.environ[name])
                protocol.APNS_SERVER, protocol.APNS_PORT = url.hostname, url.port
            async def main():
                for certificate in "BOTH", "SANDBOX_ONLY":
                    for sandbox in False, True:
                        context = ssl.create_default_context(cafile=os.environ["CA"])
                        apns = APNs(client_cert=os.environ[certificate], use_sandbox=sandbox, ssl_context=context)
                        request = NotificationRequest(device_token=os.environ["DEVICE"], message={"aps": {"alert": "hello"}})
                        answer = await apns.send_notification(request)
                        print(answer.status, answer.description or '', end="; ")
            asyncio.run(main())
            """
        #expect(try python(script, mock) == "200 ; 200 ; 403 BadCertificateEnvironment; 200 ;")
    }

    /// firebase-admin exchanges its own credential at our token endpoint and sends over HTTP/1.1, each of 500 messages on
    /// a thread of its own.
    @Test(.enabled(if: Python.runsTests(by: "firebase_admin"))) func firebaseAdmin() throws {
        let mock = try MockFixture()
        let script = """
            import os, firebase_admin
            from collections import Counter
            from firebase_admin import credentials, messaging
            from firebase_admin.messaging import _MessagingService
            _MessagingService.FCM_URL = os.environ["FCM"] + "/v1/projects/{0}/messages:send"
            firebase_admin.initialize_app(credentials.Certificate(os.environ["ACCOUNT"]))
            good = ["c0123456789abcdefghijk:APA91b" + str(i).zfill(120) for i in range(500)]
            tokens = [{7: os.environ["GONE"], 8: os.environ["FOREIGN"], 9: "nonsense"}.get(i % 10, good[i]) for i in range(500)]
            message = messaging.MulticastMessage(
                tokens=tokens, notification=messaging.Notification(title="t", body="b"), data={"k": "v"},
                android=messaging.AndroidConfig(priority="high", ttl=3600, collapse_key="c"))
            batch = messaging.send_each_for_multicast(message)
            print(batch.success_count, batch.failure_count)
            kinds = [type(r.exception).__name__ if r.exception else "delivered" for r in batch.responses]
            print(kinds[:10])
            print(kinds == kinds[:10] * 50, len(set(r.message_id for r in batch.responses if r.success)),
                  batch.responses[0].message_id.startswith("projects/example-project/messages/0:"))
            """
        let lines = try python(script, mock).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first == "350 150")
        let seven = Array(repeating: "'delivered'", count: 7)
        let ten = seven + ["'UnregisteredError'", "'SenderIdMismatchError'", "'InvalidArgumentError'"]
        #expect(lines.dropFirst().first == "[\(ten.joined(separator: ", "))]")
        #expect(lines.last == "True 350 True")
        let summary = try mock.stop()
        #expect(summary.count(.oauth, 200) >= 1)
        #expect(summary.count(.fcm, 200) == 350)
        #expect(summary.count(.fcm, 404, "UNREGISTERED") == 50)
        #expect(summary.count(.fcm, 403, "SENDER_ID_MISMATCH") == 50)
        #expect(summary.count(.fcm, 400, "INVALID_ARGUMENT") == 50)
    }
}
