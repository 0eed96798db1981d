package import Push

/// What APNs answers to one request.
package struct APNsAnswer: Sendable, Equatable {
    /// Why the push was refused; nil if it was accepted.
    package var reason: APNsReason?
    /// With a 410: since when the token has been known to be invalid, in milliseconds since 1970.
    package var timestampMilliseconds: Int64 = 0
    /// `apns-id`: the request's own, or one made for it.
    package var messageID: UUIDText
    /// `apns-unique-id`: only for pushes that the sandbox accepted.
    package var uniqueID: UUIDText?
    /// A stream limit to announce on the connection along with this answer, when it changes.
    package var streamLimit: UInt32?

    /// The HTTP status.
    package var status: Int { reason?.status ?? 200 }

    /// The longest body there is.
    package static let longestBody = 96

    /// Writes the body and returns its length: 0 for an accepted push, else exactly `{"reason":"..."}` with
    /// `"timestamp"` added for a 410.
    ///
    /// Source: Apple, "Handling notification responses from APNs".
    package func writeBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let reason else { return 0 }
        var writer = ByteWriter(buffer)
        writer.append("{\"reason\":\"")
        writer.append(text: reason.rawValue)
        writer.append("\"")
        if reason.hasTimestamp {
            writer.append(",\"timestamp\":")
            writer.append(decimal: timestampMilliseconds)
        }
        writer.append("}")
        return writer.count
    }
}
