import Testing

@testable import Transport

@Suite("TLS files")
struct ContextTests {
    let certificates = Certificates.shared

    /// What making a context fails with, in words.
    private func message(_ body: () throws(TransportError) -> TLSContext) -> String {
        do throws(TransportError) {
            _ = try body()
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test("Each kind of bad file is refused by name, with what is wrong")
    func badFiles() {
        let (certificate, key) = certificates.server
        let missing = "/nowhere/ca.pem"
        let nonsense = certificates.nonsense
        #expect(
            message { () throws(TransportError) in try .client(caFile: missing) }
                == "\(missing): No such file or directory"
        )
        #expect(
            message { () throws(TransportError) in try .client(caFile: nonsense) }
                .hasPrefix("\(nonsense): not a PEM file of CA certificates")
        )
        #expect(
            message { () throws(TransportError) in try .server(identity: .pem(certificate: nonsense, key: key)) }
                .hasPrefix("\(nonsense): not a PEM certificate")
        )
        #expect(
            message { () throws(TransportError) in try .server(identity: .pem(certificate: certificate, key: nonsense))
            }
            .hasPrefix("\(nonsense): not the PEM private key")
        )
        #expect(
            message { () throws(TransportError) in
                try .server(identity: .pem(certificate: certificate, key: certificates.client.key))
            }
            .hasPrefix("\(certificates.client.key): ")
        )
        #expect(
            message { () throws(TransportError) in try .client(caFile: nil, p12: nonsense, password: "") }
                .hasPrefix("\(nonsense): not a PKCS#12 file")
        )
        let p12 = certificates.clientP12
        #expect(
            message { () throws(TransportError) in try .client(caFile: nil, p12: p12, password: "wrong") }
                .hasPrefix("\(p12): wrong password")
        )
    }

    @Test("The system's roots are trusted when no CA is given, and do not cover ours")
    func systemRoots() throws {
        let talk = try Conversation(client: .client(caFile: nil))
        #expect(try talk.shakeHands().client == .failed)
        #expect(talk.client.failure?.label == "certificate-rejected")
    }
}
