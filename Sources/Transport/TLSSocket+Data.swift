import COpenSSL
import Glibc

extension TLSSocket {
    /// Reads what is there, as much as fits.
    ///
    /// Call it until it does not return `.bytes`: the call after the last bytes normally costs no system call.
    /// Only after the handshake is done.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        if isDrained {
            isDrained = false
            return .wouldBlock
        }
        if let readEnd { return readEnd }
        guard let start = buffer.baseAddress, stage == .open else { return unreadable(buffer) }
        var filled = 0
        while filled < buffer.count {
            ERR_clear_error()
            let count = SSL_read(ssl, start + filled, Int32(clamping: buffer.count - filled))
            guard count > 0 else {
                let end = readStopped(count, errno: errno)
                if filled == 0 { return end }
                isDrained = end == .wouldBlock
                break
            }
            isReadBlockedByWrite = false
            filled += Int(count)
            if SSL_has_pending(ssl) == 0 {
                isDrained = true
                break
            }
        }
        return .bytes(filled)
    }

    /// Writes as much as the kernel takes, in records of up to 16 KiB.
    ///
    /// After `.wouldBlock`, OpenSSL holds a sealed record that is not counted as taken yet: the next write must begin
    /// with the same bytes and have at least as many, though it may come from other memory. After `.failed`, read to
    /// the end before closing: answers and a GOAWAY that came before the loss are still there. Only after the
    /// handshake is done.
    package func write(from buffer: UnsafeRawBufferPointer) -> WriteResult {
        guard let start = buffer.baseAddress, buffer.count > 0 else {
            preconditionFailure("there must be something to write")
        }
        guard stage == .open, !isWriteLost else { return unwritable() }
        var written = 0
        while written < buffer.count {
            ERR_clear_error()
            let count = SSL_write(ssl, start + written, Int32(clamping: buffer.count - written))
            guard count > 0 else {
                let end = writeStopped(count, errno: errno)
                return written > 0 && end == .wouldBlock ? .bytes(written) : end
            }
            written += Int(count)
        }
        isWriteBlocked = false
        return .bytes(written)
    }

    /// Keeps what is written from here on back until there is a whole segment of it or ``release()`` is called.
    ///
    /// For several records in a row: so the kernel sends them in one pass through its network stack (tcp(7), TCP_CORK).
    package func hold() { setCork(true) }

    /// Lets go of what ``hold()`` kept back; does nothing where nothing is held.
    package func release() { if isHeld { setCork(false) } }

    private func setCork(_ isOn: Bool) {
        guard descriptor >= 0 else { return }
        isHeld = isOn
        var value: Int32 = isOn ? 1 : 0
        // Without it the same bytes go out, in more segments.
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Tells the peer that we have written our last, and goes on reading (RFC 8446, 6.1).
    ///
    /// Call it when nothing is left to write. False when the kernel's buffer was too full for the notice; then it is
    /// left out and the peer sees the end without it.
    @discardableResult
    package func closeWrite() -> Bool {
        guard stage == .open, !isWriteLost else { return false }
        let told = sendCloseNotify()
        // ENOTCONN: the peer has reset the connection, which the next read will tell.
        _ = shutdown(descriptor, Int32(SHUT_WR))
        return told
    }

    /// Sends close_notify once, without waiting for the peer's.
    @discardableResult
    func sendCloseNotify() -> Bool {
        ERR_clear_error()
        // 0: ours is sent, the peer's is still to come. 1: both. Negative: blocked or lost, and either way the
        // connection is about to end.
        let result = SSL_shutdown(ssl)
        ERR_clear_error()
        return result >= 0
    }

    private func unreadable(_ buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        precondition(buffer.count > 0, "there must be room to read into")
        precondition(stage == .ended, "read before the handshake was done")
        if failure == nil { failure = .closedWithoutNotice }
        return .failed
    }

    private func unwritable() -> WriteResult {
        precondition(stage == .ended || isWriteLost, "write before the handshake was done")
        if failure == nil { failure = .closedWithoutNotice }
        return .failed
    }

    /// SSL_read(3) returned no bytes; each SSL_get_error(3) that it can come to.
    private func readStopped(_ result: Int32, errno code: Int32) -> ReadResult {
        isReadBlockedByWrite = false
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            isReadBlockedByWrite = true
            return .wouldBlock
        case SSL_ERROR_ZERO_RETURN:
            readEnd = .closed
            return .closed
        case SSL_ERROR_SYSCALL: lose(lost(errno: code))
        case SSL_ERROR_SSL: lose(protocolError())
        case let other: preconditionFailure("SSL_read cannot come to SSL_get_error \(other) here")
        }
        readEnd = .failed
        return .failed
    }

    /// SSL_write(3) took no bytes; each SSL_get_error(3) that it can come to.
    private func writeStopped(_ result: Int32, errno code: Int32) -> WriteResult {
        switch SSL_get_error(ssl, result) {
        // Only a renegotiation could make a write wait for a read, and the context forbids those; should OpenSSL ask
        // for it all the same, the next write after a read finds out.
        case SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_READ:
            isWriteBlocked = true
            return .wouldBlock
        // The kernel refused; OpenSSL's reading side is not touched by that.
        case SSL_ERROR_SYSCALL:
            failure = lost(errno: code)
            isWriteLost = true
            isWriteBlocked = false
        // Also a write after our own close_notify.
        case SSL_ERROR_SSL, SSL_ERROR_ZERO_RETURN: lose(protocolError())
        case let other: preconditionFailure("SSL_write cannot come to SSL_get_error \(other) here")
        }
        return .failed
    }

    private func protocolError() -> TransportError {
        let code = ERR_get_error()
        ERR_clear_error()
        if openssl_ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING { return .closedWithoutNotice }
        return .tls(reason: openSSLText(code))
    }

    private func lose(_ error: TransportError) {
        failure = error
        stage = .ended
    }
}
