internal import CNGHTTP2

/// nghttp2 as it was loaded.
package enum NGHTTP2Library {
    /// Its version, such as `1.52.0`.
    ///
    /// The corresponding C function is `nghttp2_version`.
    package static var version: String {
        // A version of 0 asks for any; the structure is static.
        guard let info = nghttp2_version(0), let text = info.pointee.version_str else { return "unknown" }
        return String(cString: text)
    }
}
