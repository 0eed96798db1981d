import Foundation

/// What a descriptor gives, read to its end by a thread of its own, so that no writer is ever held up.
final class Collector: @unchecked Sendable {
    // All mutable state is guarded by the condition's lock.
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var hasEnded = false

    /// Reads from the handle until its end; the handle is closed then.
    init(_ handle: FileHandle) {
        let thread = Thread { [self] in
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(handle.fileDescriptor, &piece, piece.count)
                if count < 0, errno == EINTR { continue }
                // A terminal whose last user has gone gives EIO in place of an end.
                guard count > 0 else { break }
                update { $0.bytes += piece[..<count] }
            }
            try? handle.close()
            update { $0.hasEnded = true }
        }
        thread.start()
    }

    /// Everything so far.
    var data: Data {
        condition.lock()
        defer { condition.unlock() }
        return Data(bytes)
    }

    /// Everything so far, as text.
    var text: String { String(decoding: data, as: UTF8.self) }

    /// Waits until the text so far fulfils a condition; false at the end of the text or of the time.
    func wait(until deadline: Date, for fulfils: (String) -> Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !fulfils(String(decoding: bytes, as: UTF8.self)) {
            guard !hasEnded, condition.wait(until: deadline) else { return false }
        }
        return true
    }

    /// Waits for the end of the text; false at the end of the time.
    func waitForEnd(until deadline: Date) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !hasEnded {
            guard condition.wait(until: deadline) else { return false }
        }
        return true
    }

    private func update(_ change: (Collector) -> Void) {
        condition.lock()
        change(self)
        condition.broadcast()
        condition.unlock()
    }
}
