package import Fleet

/// What a sender should do about a host's answer.
package enum Disposition: String, Sendable, CaseIterable {
    /// The host took the push.
    case delivered
    /// The app is gone from the device: delete the token.
    case removeDevice
    /// The token can't be right for this app or environment: look into it, don't send to it again.
    case invalidDevice
    /// Our credential, environment or permission is wrong: no further push of the lane can succeed.
    case configurationFault
    /// The host may take the same push later.
    case retryLater
    /// This push is refused for good; the device is not to blame.
    case rejected

    /// The disposition of an answer.
    ///
    /// Known reasons decide by ``ReasonTable``. Others are judged by status, with configuration faults looked at before
    /// retry statuses, so that a fault of ours is never taken for a busy host.
    package init(provider: Provider, status: Int, reason: String) {
        if (200...299).contains(status) {
            self = .delivered
        } else {
            self = ReasonTable.rule(for: provider, reason: reason)?.disposition ?? Self(unknownReasonWith: status)
        }
    }

    /// What a status alone says; see ``statusRules``.
    private init(unknownReasonWith status: Int) {
        self = Self.statusRules.first { $0.statuses.contains(status) }?.disposition ?? .rejected
    }

    /// How answers are judged whose reason is unknown or missing, looked at in this order; `rejected` where none fits.
    package static let statusRules: [(statuses: ClosedRange<Int>, disposition: Disposition)] = [
        (401...401, .configurationFault),
        (403...403, .configurationFault),
        (410...410, .removeDevice),
        (429...429, .retryLater),
        (500...599, .retryLater),
    ]

    /// What the word asks of a sender, in one sentence without its full stop.
    package var meaning: String {
        switch self {
        case .delivered: "The host took the push"
        case .removeDevice: "The app is gone from the device: delete the token"
        case .invalidDevice: "The token can't be right for this app, sender or environment: don't send to it again"
        case .configurationFault: "Our credential or permission is wrong: the lane halts, no device is touched"
        case .retryLater: "The host may take the same push later"
        case .rejected: "This push is refused for good; the device is not to blame"
        }
    }
}
