import Glibc
import Report

/// Writes one file to disk; keeps the first error and writes nothing after it.
final class ResultFileWriter {
    private let descriptor: Int32
    private var code: Int32 = 0

    /// Creates or empties a file, writes it and waits until it is on disk.
    static func write(_ path: String, _ contents: (ResultText) -> Void) throws(ResultFolderError) {
        let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw ResultFolderError(path: path) }
        let writer = ResultFileWriter(descriptor: descriptor)
        let text = ResultText { writer.write($0) }
        contents(text)
        text.flush()
        guard let code = writer.finish() else { return }
        throw ResultFolderError(path: path, code: code)
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while code == 0, !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    // ENOSPC, EDQUOT, EFBIG, EIO: all mean that this file can't be.
                    code = errno
                }
            }
        }
    }

    /// Syncs and closes; the first error, if there was one.
    private func finish() -> Int32? {
        if code == 0, fsync(descriptor) != 0, errno != EINVAL { code = errno }
        // Some network file systems report a failed write only here.
        if close(descriptor) != 0, code == 0, errno != EINTR { code = errno }
        return code == 0 ? nil : code
    }
}

/// Reads whole files.
enum ResultFileReader {
    /// The bytes of a file.
    static func read(_ path: String) throws(ResultFolderError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ResultFolderError(path: path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: piece[..<count])
            } else if errno != EINTR {
                throw ResultFolderError(path: path)
            }
        }
    }
}
