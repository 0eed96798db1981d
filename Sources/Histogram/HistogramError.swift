/// Why a text or record is not one of our histograms.
package enum HistogramError: Error, Equatable, CustomStringConvertible {
    /// The text is not base64.
    case notBase64

    /// The bytes start with another number than a V2 compressed histogram does (or, inside, than a V2 one).
    case unknownCookie(UInt32)

    /// The bytes end too early, or more follow than their header says.
    case wrongLength

    /// zlib could not inflate the contents; the number is its return code.
    case notZlib(code: Int32)

    /// A valid histogram that counts in other buckets than ours; says which setting differs.
    case unsupported(String)

    /// A count or a run of empty buckets that no encoder writes, or totals that contradict the buckets.
    case contradiction(String)

    package var description: String {
        switch self {
        case .notBase64:
            "encoded histogram: not base64"
        case .unknownCookie(let cookie):
            "encoded histogram: starts with 0x\(String(cookie, radix: 16)), not with a V2 compressed histogram's cookie"
        case .wrongLength:
            "encoded histogram: cut short, or longer than its header says"
        case .notZlib(let code):
            "encoded histogram: contents cannot be inflated (zlib code \(code))"
        case .unsupported(let setting):
            "encoded histogram: \(setting)"
        case .contradiction(let what):
            "encoded histogram: \(what)"
        }
    }
}
