#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Function-like macros of OpenSSL, which Swift does not import, as functions of the same name with a prefix.

// MARK: TLS (owner: Transport)

// Options are shifted 64-bit expressions.
static const uint64_t openssl_SSL_OP_NO_TICKET = SSL_OP_NO_TICKET;
static const uint64_t openssl_SSL_OP_CIPHER_SERVER_PREFERENCE = SSL_OP_CIPHER_SERVER_PREFERENCE;
static const uint64_t openssl_SSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;

// A shifted cast.
static const unsigned long openssl_XN_FLAG_RFC2253 = XN_FLAG_RFC2253;

static inline long openssl_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_mode(context, mode);
}

static inline int openssl_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline long openssl_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}

static inline void openssl_SSL_CTX_set_read_ahead(SSL_CTX *context, int on) {
    SSL_CTX_set_read_ahead(context, on);
}

static inline int openssl_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

static inline int openssl_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int openssl_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int openssl_ERR_GET_REASON(unsigned long code) {
    return ERR_GET_REASON(code);
}

static inline int openssl_sk_X509_num(const STACK_OF(X509) *stack) {
    return sk_X509_num(stack);
}

static inline X509 *openssl_sk_X509_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline void openssl_sk_X509_pop_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}

// MARK: Keys and certificates (owner: Credentials)

/// Where the bytes of a memory BIO stand, and how many there are. They stay valid until the BIO is written or freed.
static inline long openssl_BIO_get_mem_data(BIO *bio, char **data) {
    return BIO_get_mem_data(bio, data);
}

/// Frees what OpenSSL allocated for its caller.
static inline void openssl_OPENSSL_free(void *memory) {
    OPENSSL_free(memory);
}

/// Overwrites and frees what `PEM_read_bio_ex` returned under PEM_FLAG_SECURE.
static inline void openssl_OPENSSL_secure_clear_free(void *memory, size_t length) {
    OPENSSL_secure_clear_free(memory, length);
}

/// Makes an EC key pair on the named curve; NULL on failure.
static inline EVP_PKEY *openssl_EVP_EC_gen(const char *curve) {
    return EVP_EC_gen(curve);
}

/// Makes an RSA key pair of so many bits; NULL on failure.
static inline EVP_PKEY *openssl_EVP_RSA_gen(size_t bits) {
    return EVP_RSA_gen(bits);
}

// Signing with a nonce of one's own goes only by functions that OpenSSL 3.0 calls old: it has no newer ones for it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// Writes r and s, 32 bytes each, of an ECDSA signature on P-256 over a digest of 32 bytes; 0 on failure.
///
/// The nonce k is given by its inverse and by r, the abscissa of k times the generator, both modulo the order.
static inline int openssl_ECDSA_sign_with_nonce(
    EVP_PKEY *key, const unsigned char *digest, const BIGNUM *inverse, const BIGNUM *r, unsigned char *output
) {
    EC_KEY *owner = EVP_PKEY_get1_EC_KEY(key);
    if (owner == NULL) return 0;
    ECDSA_SIG *signature = ECDSA_do_sign_ex(digest, 32, inverse, r, owner);
    EC_KEY_free(owner);
    if (signature == NULL) return 0;
    int written = BN_bn2binpad(ECDSA_SIG_get0_r(signature), output, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), output + 32, 32) == 32;
    ECDSA_SIG_free(signature);
    return written;
}

#pragma GCC diagnostic pop
