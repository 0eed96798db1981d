/// One notification for APNs, the same for many devices: headers and payload.
package struct APNsMessage: Sendable, Equatable {
    /// The kind.
    package let pushType: PushType
    /// 10, 5 or 1.
    package let priority: Int
    /// `apns-expiration`, seconds since 1970; 0 means one attempt, nil leaves the header out.
    package let expiration: Int64?
    /// At most 64 bytes; nil leaves the header out.
    package let collapseID: String?
    /// The JSON payload.
    package let payload: [UInt8]
    /// `apns-topic`; nil for the app's bundle id with the push type's suffix.
    package let topic: String?

    package init(
        pushType: PushType,
        priority: Int,
        expiration: Int64?,
        collapseID: String?,
        payload: [UInt8],
        topic: String? = nil
    ) {
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.payload = payload
        self.topic = topic
    }

    /// The header fields of a request for one app, in the order in which they go out.
    ///
    /// Source: Apple, "Sending notification requests to APNs".
    package func fields(authority: String, bundleID: String) -> [RequestField] {
        var fields = [
            RequestField(":method", "POST"),
            RequestField(":scheme", "https"),
            RequestField(":authority", authority),
            RequestField(":path", role: .path),
            RequestField("authorization", role: .authorization),
            RequestField("apns-id", role: .apnsID),
            RequestField("apns-topic", topic ?? bundleID + pushType.topicSuffix),
            RequestField("apns-push-type", pushType.rawValue),
            RequestField("apns-priority", String(priority)),
        ]
        if let expiration { fields.append(RequestField("apns-expiration", String(expiration))) }
        if let collapseID { fields.append(RequestField("apns-collapse-id", collapseID)) }
        return fields
    }

    /// What stands before the device token in the path of a request.
    package static let pathPrefix: StaticString = "/3/device/"

    /// Writes ``pathPrefix`` at the start of `path`.
    ///
    /// - Returns: its length.
    package static func writePathPrefix(into path: UnsafeMutableRawBufferPointer) -> Int {
        let prefix = UnsafeRawBufferPointer(start: pathPrefix.utf8Start, count: pathPrefix.utf8CodeUnitCount)
        // Ten bytes, as two words that overlap.
        let tail = prefix.count - 8
        path.storeBytes(of: prefix.loadUnaligned(as: UInt64.self), as: UInt64.self)
        path.storeBytes(
            of: prefix.loadUnaligned(fromByteOffset: tail, as: UInt64.self),
            toByteOffset: tail,
            as: UInt64.self
        )
        return prefix.count
    }
}
