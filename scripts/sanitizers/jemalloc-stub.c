// Stands in for libjemalloc under the sanitizers, whose own allocators take its place: it answers that nothing is known.
#include <errno.h>
#include <stddef.h>

int mallctl(const char *name, void *old, size_t *oldLength, void *value, size_t length) {
    (void)name, (void)old, (void)oldLength, (void)value, (void)length;
    return ENOENT;
}

int mallctlnametomib(const char *name, size_t *mib, size_t *length) {
    (void)name, (void)mib, (void)length;
    return ENOENT;
}

int mallctlbymib(const size_t *mib, size_t count, void *old, size_t *oldLength, void *value, size_t length) {
    (void)mib, (void)count, (void)old, (void)oldLength, (void)value, (void)length;
    return ENOENT;
}
