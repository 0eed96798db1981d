/// Makes payloads of an exact size, for both services.
package enum Payload {
    /// The smallest payload that ``alert(bytes:)`` can make.
    package static let smallestAlert = Array(alertStart.utf8).count + Array(alertEnd.utf8).count
    /// The smallest message part that ``notification(bytes:)`` can make.
    package static let smallestNotification = Array(notificationStart.utf8).count + Array(notificationEnd.utf8).count

    private static let alertStart = #"{"aps":{"alert":{"title":"pushbench","body":""#
    private static let alertEnd = #""}}}"#
    private static let mutableAlertEnd = #""},"mutable-content":1}}"#
    private static let notificationStart = #""notification":{"title":"pushbench","body":""#
    private static let notificationEnd = #""}"#

    /// An APNs alert of exactly `bytes` bytes, or of the smallest size where that is larger.
    ///
    /// - Parameter isMutable: whether the app may change it before it is shown.
    package static func alert(bytes: Int, isMutable: Bool = false) -> [UInt8] {
        let end = isMutable ? mutableAlertEnd : alertEnd
        return Array((alertStart + text(bytes - alertStart.utf8.count - end.utf8.count) + end).utf8)
    }

    /// An APNs background payload; `content-available` tells the system to wake the app.
    package static let background = Array(#"{"aps":{"content-available":1}}"#.utf8)

    /// The FCM members for the same alert: a `notification` of exactly `bytes` bytes or the smallest size.
    package static func notification(bytes: Int) -> String {
        notificationStart + text(bytes - smallestNotification) + notificationEnd
    }

    /// Readable filler of the given length.
    private static func text(_ count: Int) -> String {
        let words = "The quick brown fox jumps over the lazy dog. "
        guard count > 0 else { return "" }
        return String(String(repeating: words, count: count / words.utf8.count + 1).prefix(count))
    }
}
