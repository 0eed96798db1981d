import COpenSSL
import Glibc

/// Files that only their owner may read.
enum PrivateFile {
    /// Makes a directory for its owner alone; one that is there already is left as it is.
    static func makeDirectory(_ path: String) throws(CredentialError) {
        if mkdir(path, 0o700) == 0 { return }
        var status = stat()
        guard errno == EEXIST, stat(path, &status) == 0 else {
            throw CredentialError(file: path, fault: .inaccessible(reason: systemReason()))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw CredentialError(file: path, fault: .inaccessible(reason: systemReason(ENOTDIR)))
        }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Writes a file with mode 0600 under a temporary name and renames it, so that nobody reads half of one.
    static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(CredentialError) {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CredentialError(file: path, fault: .inaccessible(reason: systemReason()))
        }
        let isWritten = writeAll(bytes, to: descriptor)
        let code = errno
        guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
            let reason = systemReason(isWritten ? errno : code)
            unlink(temporary)
            throw CredentialError(file: path, fault: .inaccessible(reason: reason))
        }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } else if written == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// What OpenSSL writes, in memory that it overwrites when it is freed.
struct SecretBIO: ~Copyable {
    let bio: OpaquePointer

    init() {
        guard let bio = BIO_new(BIO_s_secmem()) else { preconditionFailure("no memory for a key's text") }
        self.bio = bio
    }

    deinit { BIO_free(bio) }

    /// Lends what was written so far, for the call only.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var start: UnsafeMutablePointer<CChar>?
        let count = openssl_BIO_get_mem_data(bio, &start)
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    func write(to path: String) throws(CredentialError) {
        try withBytes { (bytes) throws(CredentialError) in try PrivateFile.write(bytes, to: path) }
    }
}

extension SigningKey {
    /// Writes the private key as Apple hands one out: PKCS#8 PEM, not encrypted, mode 0600.
    package func write(to path: String) throws(CredentialError) {
        try key.privatePEM(source: path).write(to: path)
    }
}

extension OpenSSLKey {
    /// The private half as PKCS#8 PEM.
    func privatePEM(source: String) throws(CredentialError) -> SecretBIO {
        let text = SecretBIO()
        guard PEM_write_bio_PKCS8PrivateKey(text.bio, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw CredentialError(file: source, fault: .openSSL(operation: "writing a key", reason: openSSLReason()))
        }
        return text
    }
}
