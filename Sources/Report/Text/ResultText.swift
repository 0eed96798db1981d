/// The bytes of one result file on their way out, handed over in pieces so that no file is held in memory as a whole.
///
/// Writing here can't fail: whoever takes the pieces keeps its first error and reports it when the file is closed.
package final class ResultText {
    private var pending: [UInt8] = []
    private let take: ([UInt8]) -> Void
    private static let pieceSize = 64 * 1_024

    /// - Parameter take: called with each piece, in order.
    package init(_ take: @escaping ([UInt8]) -> Void) {
        self.take = take
        pending.reserveCapacity(Self.pieceSize + 4_096)
    }

    package func append(_ text: some StringProtocol) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= Self.pieceSize { flush() }
    }

    package func append(_ bytes: [UInt8]) {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.pieceSize { flush() }
    }

    /// Hands over what is left; to be called once after the last `append`.
    package func flush() {
        guard !pending.isEmpty else { return }
        take(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Everything that `body` writes, as one text: for short ones and for tests.
    package static func collect(_ body: (ResultText) -> Void) -> String {
        var bytes: [UInt8] = []
        let text = ResultText { bytes.append(contentsOf: $0) }
        body(text)
        text.flush()
        return String(decoding: bytes, as: UTF8.self)
    }
}
