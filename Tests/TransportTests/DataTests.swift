import Glibc
import Testing

@testable import Transport

@Suite("TLS data", .timeLimit(.minutes(5)))
struct DataTests {
    /// One direction of a bulk transfer: writes a known sequence from wherever it stands, checks what arrives.
    private struct Stream {
        static let length = 6_000_000
        /// Period 251, a prime, so that bytes of a neighbouring record or buffer would not fit.
        static let pattern: [UInt8] = {
            var bytes = (0..<251).map { UInt8($0) }
            while bytes.count < length { bytes += bytes }
            return bytes
        }()
        var written = 0
        var read = 0
        var blockedWrites = 0
        var mismatches = 0
        var ending: ReadResult?

        /// Writes until blocked; each time from a fresh copy, as a caller whose buffer moves would.
        mutating func write(to socket: TLSSocket) {
            while written < Self.length {
                let chunk = Array(Self.pattern[written..<min(written + 100_000, Self.length)])
                switch chunk.withUnsafeBytes({ socket.write(from: $0) }) {
                case .bytes(let count): written += count
                case .wouldBlock:
                    blockedWrites += 1
                    return
                case .failed:
                    Issue.record("write failed: \(String(describing: socket.failure))")
                    return
                }
            }
        }

        mutating func read(from socket: TLSSocket) {
            withUnsafeTemporaryAllocation(byteCount: 40_000, alignment: 1) { buffer in
                while true {
                    let result = socket.read(into: buffer)
                    guard case .bytes(let count) = result, let start = buffer.baseAddress else {
                        if result != .wouldBlock { ending = result }
                        return
                    }
                    let isSame = Self.pattern.withUnsafeBytes { expected in
                        expected.baseAddress.map { memcmp($0 + read, start, count) == 0 } ?? false
                    }
                    if !isSame { mismatches += 1 }
                    read += count
                }
            }
        }
    }

    @Test("What is held back is let go, and letting go twice or of nothing does nothing")
    func holds() throws {
        let (talk, client, server) = try Conversation.open()
        func isCorked() -> Bool {
            var value: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            let result = getsockopt(client.descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, &size)
            return result == 0 && value != 0
        }
        client.release()
        #expect(!isCorked())
        client.hold()
        #expect(isCorked())
        #expect([UInt8]("held".utf8).withUnsafeBytes { client.write(from: $0) } == .bytes(4))
        client.release()
        #expect(!isCorked())
        client.release()
        var came = 0
        try talk.run {
            withUnsafeTemporaryAllocation(byteCount: 100, alignment: 1) { buffer in
                if case .bytes(let count) = server.read(into: buffer) { came += count }
            }
            return came == 4
        }
    }

    @Test("Megabytes both ways at once, through blocked and partial writes, arrive whole and in order")
    func bulk() throws {
        let (talk, client, server) = try Conversation.open()
        var up = Stream()
        var down = Stream()
        // Both write all they can before either reads, so both buffers fill up.
        try talk.run {
            up.write(to: client)
            down.write(to: server)
            up.read(from: server)
            down.read(from: client)
            return up.read == Stream.length && down.read == Stream.length
        }
        #expect(up.mismatches == 0)
        #expect(down.mismatches == 0)
        #expect(up.blockedWrites > 0)
        #expect(down.blockedWrites > 0)
        #expect(client.interest == .read)
        #expect(client.bytesOut > UInt64(Stream.length))
        #expect(client.bytesOut == server.bytesIn)
    }

    @Test("A blocked writer asks for write readiness and nothing is taken twice")
    func blockedWriter() throws {
        let (talk, client, server) = try Conversation.open()
        var up = Stream()
        while up.blockedWrites == 0 { up.write(to: client) }
        #expect(client.interest == [.read, .write])
        let taken = up.written
        up.write(to: client)
        #expect(up.written == taken)
        try talk.run {
            up.read(from: server)
            up.write(to: client)
            return up.read == Stream.length
        }
        #expect(up.mismatches == 0)
    }

    @Test("The read after the last bytes would block, and later bytes are still reported")
    func drained() throws {
        let (talk, client, server) = try Conversation.open()
        #expect(server.readText().0 == .wouldBlock)
        for text in ["first", "second"] {
            #expect(client.write(text) == .bytes(text.utf8.count))
            var received = ""
            try talk.run {
                received += server.readText().1
                return received == text
            }
            #expect(server.readText().0 == .wouldBlock)
        }
    }

    @Test("A buffer smaller than a record loses nothing")
    func smallBuffer() throws {
        let (talk, client, server) = try Conversation.open()
        #expect(client.write("0123456789") == .bytes(10))
        var received = ""
        try talk.run {
            withUnsafeTemporaryAllocation(byteCount: 3, alignment: 1) { buffer in
                while case .bytes(let count) = server.read(into: buffer) {
                    received += String(decoding: buffer.prefix(count), as: UTF8.self)
                }
            }
            return received.count == 10
        }
        #expect(received == "0123456789")
    }

    @Test("Half close: the peer reads to the end, answers, and is heard")
    func halfClose() throws {
        let (talk, client, server) = try Conversation.open()
        #expect(client.write("question") == .bytes(8))
        #expect(client.closeWrite())
        var question = ""
        var end = ReadResult.wouldBlock
        try talk.run {
            while true {
                let (result, text) = server.readText()
                question += text
                guard case .bytes = result else {
                    end = result
                    return result != .wouldBlock
                }
            }
        }
        #expect(question == "question")
        #expect(end == .closed)
        #expect(server.readText().0 == .closed)
        #expect(server.interest == [])
        #expect(server.write("answer") == .bytes(6))
        var answer = ""
        try talk.run {
            answer += client.readText().1
            return answer == "answer"
        }
    }

    @Test("Bytes before the end come before the end")
    func bytesThenEnd() throws {
        let (talk, client, server) = try Conversation.open()
        #expect(client.write("last") == .bytes(4))
        try talk.closeClient()
        var seen: [ReadResult] = []
        try talk.run {
            while seen.last != .closed {
                let (result, _) = server.readText()
                guard result != .wouldBlock else { return false }
                seen.append(result)
            }
            return true
        }
        #expect(seen == [.bytes(4), .closed])
        #expect(client.descriptor == -1)
    }

    @Test("An end without close_notify is not taken for an orderly one")
    func truncated() throws {
        let (talk, client, server) = try Conversation.open()
        #expect(shutdown(client.descriptor, Int32(SHUT_WR)) == 0)
        var end = ReadResult.wouldBlock
        try talk.run {
            end = server.readText().0
            return end != .wouldBlock
        }
        #expect(end == .failed)
        #expect(server.failure == .closedWithoutNotice)
        #expect(server.write("x") == .failed)
    }

    @Test("A reset is reported by the read, and a write to it neither kills nor hangs")
    func reset() throws {
        let (talk, client, server) = try Conversation.open()
        // SO_LINGER of zero makes close(2) send RST.
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: linger))
        #expect(setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &linger, size) == 0)
        #expect(shutdown(client.descriptor, Int32(SHUT_RD)) == 0)
        try talk.closeClient()
        var result = WriteResult.wouldBlock
        try talk.run {
            result = server.write("into the void")
            return result == .failed
        }
        #expect(server.failure == .connectionReset)
        #expect(server.write("again") == .failed)
        var end = ReadResult.wouldBlock
        for _ in 0..<3 where end == .wouldBlock || end == .bytes(0) { end = server.readText().0 }
        #expect(end == .failed || end == .closed)
    }

    @Test("Closing twice is harmless, and a closed socket fails calls without a trap")
    func closeTwice() throws {
        let (talk, client, _) = try Conversation.open()
        try talk.closeClient()
        client.close()
        #expect(client.write("x") == .failed)
        #expect(client.readText().0 == .failed)
        #expect(client.handshake() == .failed)
        #expect(!client.closeWrite())
    }

    /// In a process of its own, because tests beside it open and close files.
    @Test("Nothing is left open after many connections")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            func count() throws -> Int {
                guard let folder = opendir("/proc/self/fd") else {
                    throw TransportError.system(call: "opendir", code: errno)
                }
                defer { closedir(folder) }
                var entries = 0
                while readdir(folder) != nil { entries += 1 }
                return entries
            }
            // The first opens what stays, such as the source of random numbers. Each round uses five descriptors.
            _ = try Conversation.open()
            let before = try count()
            for _ in 0..<300 { _ = try Conversation.open() }
            // Threads of the test library may open a few while the process is young.
            guard try count() - before < 20 else { exit(1) }
        }
    }
}
