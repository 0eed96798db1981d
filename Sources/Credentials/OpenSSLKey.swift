import COpenSSL

/// Owner of an `EVP_PKEY`, the private or the public half of a key.
///
/// OpenSSL's keys may be read by several threads at once, and nothing here changes one after it was made; that
/// is what `@unchecked Sendable` rests on. `EVP_PKEY_free` overwrites private numbers before it frees them.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// "EC", "RSA", "ED25519", ...
    var typeName: String {
        EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) } ?? "unknown"
    }

    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// OpenSSL's name of an EC key's curve; nil for another type, or a curve given by its parameters.
    var curveName: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 80) { name in
            var length = 0
            guard EVP_PKEY_get_group_name(pointer, name.baseAddress, name.count, &length) == 1,
                let start = name.baseAddress
            else {
                ERR_clear_error()
                return nil
            }
            return String(cString: start)
        }
    }

    /// The public half as a SubjectPublicKeyInfo in DER (RFC 5280 section 4.1); empty when OpenSSL cannot write it.
    var publicDER: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let length = i2d_PUBKEY(pointer, &start)
        guard length > 0, let start else {
            ERR_clear_error()
            return []
        }
        defer { openssl_OPENSSL_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }

    /// SHA-256 of the public half, in lower-case hex: what names a key without showing anything of it.
    var fingerprint: String { hexadecimal(SHA256.digest(publicDER)) }

    /// "an RSA key of 2048 bits", for messages.
    var summary: String {
        switch typeName {
        case "EC": "an EC key on \(curveName ?? "a curve given by its parameters")"
        case let other: "\("AEFHILMNORSX".contains(other.prefix(1)) ? "an" : "a") \(other) key of \(bits) bits"
        }
    }
}

/// One-shot SHA-256.
enum SHA256 {
    static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let contiguous = Array(bytes)
        return [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            var length: UInt32 = 0
            guard EVP_Digest(contiguous, contiguous.count, output.baseAddress, &length, EVP_sha256(), nil) == 1 else {
                preconditionFailure("OpenSSL has no SHA-256: \(openSSLReason())")
            }
            count = Int(length)
        }
    }
}

/// Lower-case hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Empties this thread's OpenSSL error queue and returns its first reason in words.
func openSSLReason() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return "no reason given" }
    return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
}
