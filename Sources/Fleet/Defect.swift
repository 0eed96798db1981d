/// What is wrong with a device, seen from the sender's list of tokens.
///
/// Each makes a faithful host answer with a different reason, so a fleet's shares of defects come back as the
/// error mix of a run.
package enum Defect: UInt8, Sendable, CaseIterable {
    /// Nothing: the host accepts the push.
    case none
    /// The app was removed: APNs answers 410 `Unregistered`, FCM 404 `UNREGISTERED`.
    case unregistered
    /// The token was issued by the other APNs environment: 400 `BadDeviceToken`.
    case wrongEnvironment
    /// The token does not have a token's shape: APNs 400 `BadDeviceToken`, FCM 400 `INVALID_ARGUMENT`.
    case malformed
    /// The token belongs to another app than the one named in `apns-topic`: 400 `DeviceTokenNotForTopic`.
    case wrongTopic
    /// The token belongs to another FCM project: 403 `SENDER_ID_MISMATCH`.
    case otherSender

    /// The word used in profiles and fleet files.
    package var name: String {
        switch self {
        case .none: "none"
        case .unregistered: "unregistered"
        case .wrongEnvironment: "wrongEnvironment"
        case .malformed: "malformed"
        case .wrongTopic: "wrongTopic"
        case .otherSender: "otherSender"
        }
    }

    /// The defect of that name, or nil if there is none.
    package init?(name: String) {
        guard let defect = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = defect
    }

    /// Whether a device of that provider can have this defect at all.
    package func applies(to provider: Provider) -> Bool {
        switch self {
        case .none, .unregistered, .malformed: true
        case .wrongEnvironment, .wrongTopic: provider == .apns
        case .otherSender: provider == .fcm
        }
    }
}
