#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot call. Each shim below is one of
// them for one type of argument, and does nothing else.

static inline CURLcode libcurl_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// The text may go after the call: libcurl copies what its string options take.
static inline CURLcode libcurl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// For options that take a pointer of ours, which must stay valid until the transfer is over.
static inline CURLcode libcurl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// CURLOPT_COPYPOSTFIELDS: libcurl copies the body, so its size is set first.
static inline CURLcode libcurl_set_body(CURL *handle, const char *body, long count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, body) : code;
}

/// CURLOPT_WRITEFUNCTION and its user pointer.
static inline CURLcode libcurl_set_writer(
    CURL *handle, size_t (*writer)(char *, size_t, size_t, void *), void *user
) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, user) : code;
}

/// CURLOPT_XFERINFOFUNCTION and its user pointer; a result other than 0 ends the transfer.
static inline CURLcode libcurl_set_progress(
    CURL *handle, int (*progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *user
) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_XFERINFODATA, user) : code;
}

static inline CURLcode libcurl_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode libcurl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
