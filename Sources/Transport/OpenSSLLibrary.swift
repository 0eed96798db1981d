import COpenSSL

/// OpenSSL as it was loaded.
package enum OpenSSLLibrary {
    /// The version, such as 3.0.17.
    ///
    /// The corresponding C function is `OpenSSL_version`.
    package static var version: String {
        guard let text = OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
        return String(cString: text)
    }
}
