import Testing

@testable import Hosts

/// What tables of the hosts rely on.
@Suite struct BytesTests {
    /// Every byte counts, wherever it stands, and so does how many there are.
    @Test func theHashSeesEveryByte() {
        var seen: Set<UInt64> = []
        var texts = 0
        for count in 0...70 {
            let zeros = [UInt8](repeating: 0, count: count)
            seen.insert(zeros.withUnsafeBytes { $0.hash64 })
            texts += 1
            for place in 0..<count {
                for bit in 0..<8 {
                    var changed = zeros
                    changed[place] = 1 << bit
                    seen.insert(changed.withUnsafeBytes { $0.hash64 })
                    texts += 1
                }
            }
        }
        #expect(seen.count == texts)
    }

    @Test func theHashIsTheSameForTheSameBytes() {
        let text = Array("/3/device/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef".utf8)
        // At another address, aligned otherwise.
        let moved = [0] + text
        #expect(text.withUnsafeBytes { $0.hash64 } == moved.withUnsafeBytes { $0.part(1, moved.count).hash64 })
    }

    /// Devices that differ in their last digits only fall onto different places of a table.
    @Test func theHashScatters() {
        var places: Set<UInt64> = []
        for number in 0..<1000 {
            let text = Array("/3/device/\(String(repeating: "0", count: 58))\(100_000 + number)".utf8)
            places.insert(text.withUnsafeBytes { $0.hash64 } & 0xffff)
        }
        #expect(places.count > 950)
    }
}
