import Glibc
package import LoadPlan
import Sending
import Transport

/// A folder in which the shards of a run wait for each other.
package final class StartGate {
    private static let pollInterval: Int64 = 5 * Nanoseconds.millisecond

    private let folder: String
    private let shard: Shard
    private let limit: Int64
    private var book: GateBook

    /// - Parameters:
    ///   - folder: seen by all shards, and fresh for each run; made where it is missing.
    ///   - profileHash: of the profile as it is run.
    ///   - limit: how long to wait for the others, in nanoseconds.
    package init(folder: String, shard: Shard, profileHash: UInt64, limit: Int64) {
        self.folder = folder
        self.shard = shard
        self.limit = limit
        book = GateBook(shard: shard, profileHash: profileHash)
    }

    /// Says that the shard is ready and waits for the others; nil where the user has ended the run meanwhile.
    func pass(while isWanted: () -> Bool) throws(RunError) -> StartAgreement? {
        let (ahead, doubt) = try arrive()
        do throws(RunError) {
            let deadline = MonotonicClock.now() + limit
            while true {
                if let agreed = try look() {
                    let correction = GateBook.correction(ahead: ahead, doubt: doubt)
                    var agreement = StartAgreement(at: agreed, correction: correction)
                    agreement.aheadOfGate = ahead
                    return agreement
                }
                guard isWanted() else { break }
                guard MonotonicClock.now() < deadline else { throw late }
                sleep(nanoseconds: Self.pollInterval)
            }
        } catch {
            leave()
            throw error
        }
        leave()
        return nil
    }

    private var late: RunError {
        .system(
            "\(folder): after \(limit / Nanoseconds.second) s \(Shard.names(book.missing)) of \(shard.count) had not come; "
                + "this was shard \(shard.number + 1)"
        )
    }

    private var ownFile: String { "\(folder)/\(book.fileName)" }

    /// Leaves the shard's own file; returns by how much our clock is ahead of the folder's, and how far off that may be.
    private func arrive() throws(RunError) -> (ahead: Int64, doubt: Int64) {
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw failure(folder) }
        let descriptor = open(ownFile, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw failure(ownFile) }
            throw .system("\(ownFile): is there already; use a fresh folder for each run")
        }
        defer { close(descriptor) }
        let before = WallClock.now()
        let text = Array(book.text(clock: before).utf8)
        // On a network file system the time is the server's once it has the bytes.
        guard write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 || errno == EINVAL else {
            throw failure(ownFile)
        }
        let after = WallClock.now()
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(ownFile) }
        let doubt = (after - before) / 2
        return (before + doubt - status.modified, doubt)
    }

    /// Takes in the files that are new; the start, once all are there.
    private func look() throws(RunError) -> Int64? {
        guard let stream = opendir(folder) else { throw failure(folder) }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix("shard-"), !book.has(name) else { continue }
            try read(name)
        }
        return book.agreedStart
    }

    private func read(_ name: String) throws(RunError) {
        let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        // One that was withdrawn meanwhile.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        var status = stat()
        guard count > 0, fstat(descriptor, &status) == 0 else { return }
        do throws(GateError) {
            try book.take(
                name: name,
                text: String(decoding: bytes[..<count], as: UTF8.self),
                modified: status.modified
            )
        } catch {
            throw .system("\(folder)/\(error)")
        }
    }

    /// Others need not wait for a shard that has given up.
    private func leave() { unlink(ownFile) }

    private func failure(_ path: String) -> RunError { .system("\(path): \(String(cString: strerror(errno)))") }
}

extension stat {
    fileprivate var modified: Int64 { Int64(st_mtim.tv_sec) * Nanoseconds.second + Int64(st_mtim.tv_nsec) }
}
