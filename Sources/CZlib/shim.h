#pragma once
#include <zlib.h>

// A macro of zlib's that Swift can't see.
static inline int pushbench_inflateInit(z_stream *stream) { return inflateInit(stream); }
