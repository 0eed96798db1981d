import Glibc

/// Owns an open file descriptor and closes it when it goes out of scope.
package struct FileDescriptor: ~Copyable {
    /// The number for system calls; not valid any longer than this owner lives.
    package let raw: Int32

    /// Takes over `raw`, which must be open and owned by nobody else.
    package init(owning raw: Int32) {
        precondition(raw >= 0, "a file descriptor must not be negative, but is \(raw)")
        self.raw = raw
    }

    deinit {
        // close(2) may report EINTR or a late write error, but frees the descriptor in every case on Linux, so
        // there is nothing left to retry. EBADF means that somebody else closed our number: a bug.
        if Glibc.close(raw) != 0, errno == EBADF {
            preconditionFailure("descriptor \(raw) was closed by somebody else")
        }
    }
}

/// Makes a system call again for as long as a signal interrupts it, and returns its value or the errno.
///
/// EBADF and EFAULT are bugs of ours, never states of the world, and trap.
func systemCall(_ name: StaticString, _ body: () -> Int32) throws(TransportError) -> Int32 {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = errno
        if code == EINTR { continue }
        precondition(code != EBADF && code != EFAULT, "\(name) was given a bad descriptor or address")
        throw TransportError(call: name, code: code)
    }
}
