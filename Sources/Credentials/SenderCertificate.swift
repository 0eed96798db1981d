import COpenSSL
import Glibc

/// What can be seen of a client certificate that pushes are sent with; the private key is only tried, never kept.
package struct SenderCertificate: Sendable, Equatable, CustomStringConvertible {
    /// The subject's common name, such as "Apple Push Services: com.example.app".
    package let name: String
    /// The subject's user id, in which Apple writes the topic; nil without one.
    package let topic: String?
    /// Seconds since 1970.
    package let startsAt: Int64
    package let expiresAt: Int64

    package var description: String { "certificate \(name)" }

    /// Reads a certificate and makes sure that its private key is there and belongs to it.
    ///
    /// - Parameters:
    ///   - path: a `.p12` file, or a PEM file.
    ///   - keyPath: the PEM file of the key; nil where `path` holds it too.
    ///   - password: of a `.p12`.
    package static func load(
        _ path: String,
        key keyPath: String?,
        password: borrowing CertificatePassword
    ) throws(CredentialError) -> SenderCertificate {
        guard isPEM(path) else {
            return SenderCertificate(
                try password.withCString { (text) throws(CredentialError) in
                    try PKCS12.read(file: path, password: text)
                }
            )
        }
        let certificate = try Certificate.read(file: path)
        let keyFile = keyPath ?? path
        let key = try SecretBytes.read(file: keyFile).withBytes { OpenSSLKey(pkcs8PEM: $0) }
        guard let key else { throw CredentialError(file: keyFile, fault: .undecodable(reason: openSSLReason())) }
        guard certificate.belongs(to: key) else {
            throw CredentialError(file: keyFile, fault: .otherKey(certificate: path))
        }
        return SenderCertificate(certificate)
    }

    /// Whether a file is PEM text by its name; anything else is taken for PKCS#12.
    package static func isPEM(_ path: String) -> Bool { path.hasSuffix(".pem") || path.hasSuffix(".crt") }

    private init(_ certificate: Certificate) {
        name = certificate.subject(NID_commonName) ?? "without a name"
        topic = certificate.subject(NID_userId)
        startsAt = certificate.seconds(of: X509_get0_notBefore(certificate.pointer))
        expiresAt = certificate.seconds(of: X509_get0_notAfter(certificate.pointer))
    }

    /// How the certificate stands at a time, in seconds since 1970.
    package func validity(at now: Int64) -> Validity {
        if now < startsAt { return .notYet }
        if now >= expiresAt { return .expired }
        let days = (expiresAt - now) / 86_400
        return days < Validity.warningDays ? .expiresSoon(days: days) : .good(days: days)
    }

    package enum Validity: Sendable, Equatable {
        /// Apple's certificates are good for a year or so; a month leaves time for a new one.
        package static let warningDays: Int64 = 30

        case notYet
        case expired
        case expiresSoon(days: Int64)
        case good(days: Int64)

        package var isUsable: Bool {
            switch self {
            case .notYet, .expired: false
            case .expiresSoon, .good: true
            }
        }
    }
}

extension Certificate {
    /// A part of the subject, such as its common name; nil where there is none.
    fileprivate func subject(_ part: Int32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            guard let start = text.baseAddress,
                X509_NAME_get_text_by_NID(X509_get_subject_name(pointer), part, start, Int32(text.count)) >= 0
            else { return nil }
            return displayable(String(cString: start))
        }
    }

    /// A time of the certificate in seconds since 1970.
    fileprivate func seconds(of time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
        return Int64(timegm(&parts))
    }
}

/// The password of a `.p12`, overwritten before its memory is given back.
///
/// It comes from a file or the environment; never from the command line, where every user of the machine reads it.
package struct CertificatePassword: ~Copyable {
    /// Ends with a zero.
    private let bytes: SecretBytes

    /// No password.
    package init() { self.init(UnsafeRawBufferPointer(start: nil, count: 0)) }

    init(_ text: UnsafeRawBufferPointer) {
        var bytes = SecretBytes(capacity: text.count + 1)
        for byte in text { bytes.append(byte) }
        bytes.append(0)
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - file: a file whose first line it is.
    ///   - variable: an environment variable.
    /// - Returns: the password; empty where neither is named.
    package static func read(file: String?, variable: String?) throws(CredentialError) -> CertificatePassword {
        if let file {
            let bytes = try SecretBytes.read(file: file)
            return bytes.withBytes { bytes in
                let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                return CertificatePassword(UnsafeRawBufferPointer(rebasing: line))
            }
        }
        guard let variable else { return CertificatePassword() }
        guard let value = getenv(variable) else {
            throw CredentialError(file: "environment variable \(variable)", fault: .missingVariable)
        }
        return CertificatePassword(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// Lends the text for the call only.
    package borrowing func withCString<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes { (bytes) throws(Failure) in
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else {
                preconditionFailure("a password ends with a zero")
            }
            return try body(start)
        }
    }
}
