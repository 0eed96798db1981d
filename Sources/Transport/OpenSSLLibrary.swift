import CLinux
import COpenSSL

/// OpenSSL as it was loaded.
package enum OpenSSLLibrary {
    /// Its version, such as `3.0.17`.
    ///
    /// The corresponding C function is `OpenSSL_version`.
    package static var version: String {
        guard let text = OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
        return String(cString: text)
    }

    /// Lets OpenSSL's allocations be counted from here on; false when it has made one already, which is too late.
    ///
    /// The corresponding C function is `CRYPTO_set_mem_functions`.
    @discardableResult
    package static func countAllocations() -> Bool {
        CRYPTO_set_mem_functions(linux_counted_malloc, linux_counted_realloc, linux_counted_free) == 1
    }

    /// Allocations made inside OpenSSL by the calling thread since ``countAllocations()``.
    package static var threadAllocations: UInt64 { linux_counted_allocations() }
}
