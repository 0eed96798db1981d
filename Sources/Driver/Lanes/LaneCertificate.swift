import Credentials
import LoadPlan
import Push
import Transport

/// The client certificate of a lane, ready to connect with.
struct LaneCertificate: Sendable {
    let section: CertificateSection
    let tls: TLSContext

    init(_ section: CertificateSection, hosts: HostAnnouncement, lane: String) throws(RunError) {
        self.section = section
        let file = section.file ?? hosts.apns.certificate
        do {
            let password = try CertificatePassword.read(
                file: section.passwordFile,
                variable: section.passwordEnvironment
            )
            // Read here too, because its errors say more than those of a TLS library.
            let certificate = try SenderCertificate.load(file, key: section.key, password: password)
            guard certificate.validity(at: WallClock.now() / Nanoseconds.second).isUsable else {
                throw RunError.credential(lane: lane, reason: "\(file): the certificate is not valid at this time")
            }
            tls = try password.withCString { (password) throws(TransportError) in
                guard SenderCertificate.isPEM(file) else {
                    return try TLSContext.client(caFile: hosts.trustedFile, p12: file, password: password)
                }
                let identity = TLSContext.Identity.pem(certificate: file, key: section.key ?? file)
                return try TLSContext.client(caFile: hosts.trustedFile, identity: identity)
            }
        } catch let error as RunError {
            throw error
        } catch {
            throw .credential(lane: lane, reason: "\(error)")
        }
    }
}
