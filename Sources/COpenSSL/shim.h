#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// OpenSSL spells part of its interface as macros, which Swift cannot see. Each shim below stands for one such
// macro and does nothing else; it can go when the macro becomes a function. Grouped by the header of the macro.

// bio.h

/// Where the bytes of a memory BIO stand, and how many there are. They stay valid until the BIO is written or freed.
static inline long pb_BIO_get_mem_data(BIO *bio, char **data) {
    return BIO_get_mem_data(bio, data);
}

// crypto.h

/// Frees what OpenSSL allocated for its caller.
static inline void pb_OPENSSL_free(void *memory) {
    OPENSSL_free(memory);
}

/// Overwrites and frees what `PEM_read_bio_ex` returned under PEM_FLAG_SECURE.
static inline void pb_OPENSSL_secure_clear_free(void *memory, size_t length) {
    OPENSSL_secure_clear_free(memory, length);
}

// ec.h, rsa.h

/// Makes an EC key pair on the named curve; NULL on failure.
static inline EVP_PKEY *pb_EVP_EC_gen(const char *curve) {
    return EVP_EC_gen(curve);
}

/// Makes an RSA key pair of so many bits; NULL on failure.
static inline EVP_PKEY *pb_EVP_RSA_gen(size_t bits) {
    return EVP_RSA_gen(bits);
}
