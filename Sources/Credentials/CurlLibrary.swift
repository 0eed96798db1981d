import CCurl

/// libcurl as it was loaded.
package enum CurlLibrary {
    /// Its version, such as `7.88.1`.
    ///
    /// The corresponding C function is `curl_version_info`.
    package static var version: String {
        // CURLVERSION_FIRST has the version already; the structure is static.
        guard let info = curl_version_info(CURLVERSION_FIRST), let text = info.pointee.version else { return "unknown" }
        return String(cString: text)
    }
}
