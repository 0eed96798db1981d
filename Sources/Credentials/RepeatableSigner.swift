import COpenSSL

/// ES256 with the nonces of RFC 6979: a key has one signature for a message, whichever process makes it.
///
/// OpenSSL 3.0 can't choose such nonces, but it signs with one that it is given. All that touches the key or a nonce takes as
/// long whatever their values are.
struct RepeatableSigner: ~Copyable {
    private let key: OpenSSLKey
    private let group: OpaquePointer
    private let context: OpaquePointer
    /// The group's; it lives as long.
    private let order: OpaquePointer

    init?(_ key: OpenSSLKey) {
        guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        guard let context = BN_CTX_secure_new(), let order = EC_GROUP_get0_order(group) else {
            EC_GROUP_free(group)
            return nil
        }
        self.key = key
        self.group = group
        self.context = context
        self.order = order
    }

    deinit {
        BN_CTX_free(context)
        EC_GROUP_free(group)
    }

    /// r and s for a digest of 32 bytes; nil, with OpenSSL's reason queued, when it refuses.
    func sign(_ digest: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let secret = BigNumber(privateOf: key), let number = BigNumber(digest), let reduced = BigNumber(),
            BN_nnmod(reduced.pointer, number.pointer, order, context) == 1,
            var nonces = NonceSequence(key: secret, digest: reduced)
        else { return nil }
        while let nonce = nonces.next() {
            guard BN_is_zero(nonce.pointer) == 0, BN_cmp(nonce.pointer, order) < 0 else { continue }
            nonce.hide()
            guard let r = abscissa(of: nonce) else { return nil }
            if BN_is_zero(r.pointer) == 0 { return sign(digest, nonce: nonce, r: r) }
        }
        return nil
    }

    /// That of the nonce times the generator, modulo the order.
    private func abscissa(of nonce: borrowing BigNumber) -> BigNumber? {
        guard let point = EC_POINT_new(group) else { return nil }
        defer { EC_POINT_free(point) }
        guard let x = BigNumber(), let r = BigNumber(),
            EC_POINT_mul(group, point, nonce.pointer, nil, nil, context) == 1,
            EC_POINT_get_affine_coordinates(group, point, x.pointer, nil, context) == 1,
            BN_nnmod(r.pointer, x.pointer, order, context) == 1
        else { return nil }
        return r
    }

    private func sign(
        _ digest: UnsafeRawBufferPointer,
        nonce: borrowing BigNumber,
        r: borrowing BigNumber
    ) -> [UInt8]? {
        guard let inverse = BigNumber(), BN_mod_inverse(inverse.pointer, nonce.pointer, order, context) != nil else {
            return nil
        }
        let input = digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var signature = [UInt8](repeating: 0, count: ECDSASignature.rawCount)
        let isSigned = openssl_ECDSA_sign_with_nonce(key.pointer, input, inverse.pointer, r.pointer, &signature) == 1
        return isSigned ? signature : nil
    }
}
