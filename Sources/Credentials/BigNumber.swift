import COpenSSL

/// Owner of an OpenSSL number; it is overwritten before its memory is given back, since nonces and keys are numbers too.
struct BigNumber: ~Copyable {
    let pointer: OpaquePointer

    /// Zero; nil without memory.
    init?() {
        guard let pointer = BN_new() else { return nil }
        self.pointer = pointer
    }

    /// The number that bytes are, the most significant first.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let pointer = BN_bin2bn(start, Int32(bytes.count), nil) else { return nil }
        self.pointer = pointer
    }

    /// The private number of an EC key.
    init?(privateOf key: OpenSSLKey) {
        var found: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key.pointer, OSSL_PKEY_PARAM_PRIV_KEY, &found) == 1, let found else { return nil }
        pointer = found
    }

    deinit { BN_clear_free(pointer) }

    /// Makes OpenSSL take as long for it whatever its value is.
    func hide() { BN_set_flags(pointer, BN_FLG_CONSTTIME) }

    /// Writes it with zeros in front of it; false where there is no room for it.
    func write(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return BN_bn2binpad(pointer, start, Int32(bytes.count)) == Int32(bytes.count)
    }
}
