/// Why a credential cannot be used: the file it stands in, and what was found there.
///
/// `description` is one line that names the file, what was found and what is allowed. Key material never
/// enters it.
package struct CredentialError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    ///
    /// Cases without a payload have one cause only.
    package enum Fault: Sendable, Equatable {
        /// No such file.
        case missing
        /// The file exists but cannot be read (or written); the system's reason.
        case inaccessible(reason: String)
        /// The file has no bytes.
        case empty
        /// The file is larger than any key; the limit in bytes.
        case tooLarge(limit: Int)
        /// The file is no PEM text; what it looks like.
        case notPEM(looksLike: String)
        /// A PEM block begins but does not end.
        case truncated(label: String)
        /// The private key is encrypted.
        case encrypted
        /// PEM, but of another kind; the labels found.
        case wrongPEM(labels: [String])
        /// A PEM block of the right kind whose contents do not decode; OpenSSL's reason.
        case undecodable(reason: String)
        /// A key of another type, such as RSA where EC is needed.
        case wrongKeyType(found: String, needed: JWTAlgorithm)
        /// An EC key on another curve than P-256.
        case wrongCurve(found: String)
        /// An RSA key that is too short to sign with.
        case shortKey(bits: Int)
        /// The public half of the key does not belong to the private one.
        case inconsistentKey
        /// The password doesn't open the file.
        case wrongPassword
        /// The environment has no such variable.
        case missingVariable
        /// The file holds no certificate that can be read; OpenSSL's reason.
        case notCertificate(reason: String)
        /// The key does not belong to the certificate in this file.
        case otherKey(certificate: String)
        /// The file is no JSON; the decoder's reason.
        case notJSON(reason: String)
        /// Fields of a JSON credential that are absent.
        case missingFields([String])
        /// A field of a JSON credential, or a value given with a key, is not what it must be.
        case badField(String, found: String, allowed: String)
        /// A key that stands in a field of a JSON credential has a fault of its own.
        indirect case inField(String, Self)
        /// OpenSSL refused an operation that no input explains (memory, randomness).
        case openSSL(operation: String, reason: String)
    }

    /// The path as the user gave it, or what stands for it when the bytes did not come from a file.
    package let file: String
    package let fault: Fault

    package init(file: String, fault: Fault) {
        self.file = file
        self.fault = fault
    }

    package var description: String { "\(file): \(fault.text)" }
}

extension CredentialError.Fault {
    /// What was found and what is allowed, in one line.
    package var text: String {
        switch self {
        case .missing: "no such file"
        case .inaccessible(let reason): "cannot be used: \(reason)"
        case .empty: "the file is empty"
        case .tooLarge(let limit): "larger than \(limit) bytes, so it is no key or service account"
        case .notPEM(let looksLike): "not a PEM file (\(looksLike)); \(Self.wanted)"
        case .truncated(let label): "truncated: -----BEGIN \(label)----- has no -----END \(label)-----"
        case .encrypted: "the private key is encrypted; decrypt it first (openssl pkcs8 -in FILE -out PLAIN)"
        case .wrongPEM(let labels): "holds \(labels.joined(separator: ", ")); \(Self.wanted)"
        case .undecodable(let reason): "the private key is damaged or truncated (\(reason))"
        case .wrongKeyType(let found, let needed): "holds \(found); \(Self.need(needed))"
        case .wrongCurve(let found): "holds an EC key on \(found); \(Self.need(.es256))"
        case .shortKey(let bits): "holds an RSA key of \(bits) bits; at least \(SigningKey.minimumRSABits) are needed"
        case .inconsistentKey: "the public half of the key does not belong to the private half"
        case .wrongPassword: "the password doesn't open this file"
        case .missingVariable: "is not set, though the password is to come from it"
        case .notCertificate(let reason): "holds no certificate that can be read (\(reason))"
        case .otherKey(let certificate): "this key does not belong to the certificate in \(certificate)"
        case .notJSON(let reason): "not a service account's JSON file: \(reason)"
        case .missingFields(let names):
            "no field \(names.map { "\"\($0)\"" }.joined(separator: ", ")); a service account's JSON file has them all"
        case .badField(let name, let found, let allowed): "\"\(name)\" is \(found); it must be \(allowed)"
        case .inField(let name, let fault): "\"\(name)\": \(fault.text)"
        case .openSSL(let operation, let reason): "\(operation) failed in OpenSSL: \(reason)"
        }
    }

    private static let wanted = "a private key in PKCS#8 PEM form is needed (-----BEGIN PRIVATE KEY-----)"

    private static func need(_ algorithm: JWTAlgorithm) -> String {
        switch algorithm {
        case .es256: "ES256 needs an EC key on P-256 (prime256v1)"
        case .rs256: "RS256 needs an RSA key"
        }
    }
}
