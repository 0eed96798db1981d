package import Push

/// What APNs answers to a broadcast or to a request about channels.
package struct ChannelAnswer: Sendable, Equatable {
    package var reason: BroadcastReason?
    /// The status of a request that went well: 200, 201 or 204.
    package var success = 200
    /// `apns-request-id`: the request's own, or one made for it.
    package var requestID: UUIDText
    /// `apns-channel-id`: the channel made or asked about; empty for none.
    package var channelID: [UInt8] = []
    /// The body, which is JSON if it is not empty.
    package var body: [UInt8] = []
    /// A stream limit to announce on the connection along with this answer, when it changes.
    package var streamLimit: UInt32?

    /// Makes it a refusal for that reason.
    package mutating func refuse(_ reason: BroadcastReason) {
        self.reason = reason
        channelID = []
        body = Array("{\"reason\":\"\(reason.rawValue)\"}".utf8)
    }

    /// The HTTP status.
    package var status: Int { reason?.status ?? success }
}
