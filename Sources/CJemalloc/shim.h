#pragma once
#include <stddef.h>
#include <stdlib.h>
#include <jemalloc/jemalloc.h>

// malloc and free through pointers that the optimiser must not look through. It removes a malloc whose memory is never
// used, which would make both the check of the allocator in force and the tests of the counter count nothing.
static inline void *pushbench_malloc(size_t size) {
    void *(*volatile call)(size_t) = malloc;
    return call(size);
}

static inline void pushbench_free(void *memory) {
    void (*volatile call)(void *) = free;
    call(memory);
}
