import LoadPlan
import Sending
import Testing

@Suite("The start of several shards")
struct GateBookTests {
    private static func book(_ number: Int, of count: Int = 3, profile: UInt64 = 77) -> GateBook {
        GateBook(shard: Shard(number, of: count), profileHash: profile)
    }

    private static func take(_ other: GateBook, at modified: Int64, into book: inout GateBook) throws {
        try book.take(name: other.fileName, text: other.text(clock: 5), modified: modified)
    }

    @Test("All agree on a margin after the newest arrival, whatever their own clocks say")
    func agreement() throws {
        for own in 0..<3 {
            var book = Self.book(own)
            #expect(book.missing == [1, 2, 3])
            for (number, modified) in [(2, 300), (0, 900)] as [(Int, Int64)] {
                try Self.take(Self.book(number), at: modified, into: &book)
            }
            #expect(book.missing == [2] && book.agreedStart == nil)
            try Self.take(Self.book(1), at: 500, into: &book)
            #expect(book.missing == [] && book.agreedStart == 900 + GateBook.margin)
            #expect(book.has("shard-2-of-3") && !book.has("shard-2-of-4"))
        }
    }

    @Test("A file that is not whole yet is left alone, as is one that is no shard's")
    func incomplete() throws {
        var book = Self.book(0)
        let text = Self.book(1).text(clock: 5)
        try book.take(name: "shard-2-of-3", text: String(text.dropLast()), modified: 1)
        try book.take(name: "shard-2-of-3", text: "", modified: 1)
        try book.take(name: ".nfs01", text: "anything\n", modified: 1)
        #expect(book.missing == [1, 2, 3])
        try book.take(name: "shard-2-of-3", text: text, modified: 1)
        #expect(book.missing == [1, 3])
    }

    @Test("Shards that can't run together are told apart")
    func errors() {
        var book = Self.book(0)
        let cases = [
            (Self.book(1, of: 4), "shard-2-of-4: the run has 3 shards; use a fresh folder for each run"),
            (Self.book(1, profile: 78), "shard-2-of-3: shard 2 runs another profile than shard 1"),
        ]
        for (other, message) in cases {
            #expect(throws: GateError(message)) { try Self.take(other, at: 1, into: &book) }
        }
        #expect(throws: GateError("shard-2-of-3: is no file of a shard")) {
            try book.take(name: "shard-2-of-3", text: Self.book(2).text(clock: 5), modified: 1)
        }
        #expect(throws: GateError("shard-x: is no file of a shard")) {
            try book.take(name: "shard-x", text: "hello\n", modified: 1)
        }
    }

    @Test("A clock is corrected only by what its file system can tell")
    func correction() {
        let tick = GateBook.granularity
        #expect(GateBook.correction(ahead: tick, doubt: 0) == 0)
        #expect(GateBook.correction(ahead: tick + 1, doubt: 0) == tick + 1)
        #expect(GateBook.correction(ahead: -tick - 1, doubt: 0) == -tick - 1)
        #expect(GateBook.correction(ahead: 3 * tick, doubt: 2 * tick) == 0)
    }
}
