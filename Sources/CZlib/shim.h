#pragma once
#include <zlib.h>

// Macros of zlib's that Swift can't see.
static inline int pushbench_inflateInit(z_stream *stream) { return inflateInit(stream); }
static inline int pushbench_deflateInit(z_stream *stream, int strategy) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL - 1, strategy);
}
