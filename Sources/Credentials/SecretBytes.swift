import COpenSSL
import Glibc

/// Bytes of a file or a key that are overwritten before their memory is given back.
///
/// The memory is ours alone: it was never a Swift array, so no copy of it stays behind.
struct SecretBytes: ~Copyable {
    /// The most that a file with a key in it may hold.
    static let fileLimit = 64 * 1024

    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count: Int

    /// Room for `capacity` bytes; holds none yet.
    init(capacity: Int) {
        memory = .allocate(byteCount: max(capacity, 1), alignment: 1)
        count = 0
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    /// Adds one byte.
    ///
    /// The capacity is the caller's promise.
    mutating func append(_ byte: UInt8) {
        precondition(count < memory.count, "SecretBytes is full")
        memory[count] = byte
        count += 1
    }

    /// Lends the bytes for the call only.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Lends the bytes for change, for the call only.
    mutating func withMutableBytes<Result: ~Copyable>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        body(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }
}

extension SecretBytes {
    /// Reads a whole file of at most `fileLimit` bytes.
    static func read(file path: String) throws(CredentialError) -> SecretBytes {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CredentialError(file: path, fault: errno == ENOENT ? .missing : .inaccessible(reason: systemReason()))
        }
        defer { close(descriptor) }
        var bytes = SecretBytes(capacity: fileLimit + 1)
        try bytes.fill(from: descriptor, path: path)
        guard bytes.count > 0 else { throw CredentialError(file: path, fault: .empty) }
        guard bytes.count <= fileLimit else { throw CredentialError(file: path, fault: .tooLarge(limit: fileLimit)) }
        return bytes
    }

    private mutating func fill(from descriptor: Int32, path: String) throws(CredentialError) {
        while count < memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let received = Glibc.read(descriptor, rest.baseAddress, rest.count)
            if received == 0 { return }
            if received > 0 {
                count += received
            } else if errno != EINTR {
                throw CredentialError(file: path, fault: .inaccessible(reason: systemReason()))
            }
        }
    }
}

/// What the system says about `errno`, in words.
func systemReason(_ code: Int32 = errno) -> String {
    String(cString: strerror(code))
}
