// Tells ThreadSanitizer what orders threads in Swift's Mutex when it is contended. Its quick path is compiled into whoever
// uses it, and so seen by the sanitizer; the slow path lies in Swift's library and in the kernel (FUTEX_LOCK_PI), which are
// not. Without this every contended Mutex is reported as a race. Preloaded: it calls the library's functions and adds the
// order that they make.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Absent from programs of others, which the tests start.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT bool tryLockSlow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT void unlockSlow(SELF) __asm__(UNLOCK_SLOW);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

SWIFT void lockSlow(uint32_t thread, SELF) {
    SWIFT void (*original)(uint32_t, SELF) = next(LOCK_SLOW);
    original(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool tryLockSlow(SELF) {
    SWIFT bool (*original)(SELF) = next(TRY_LOCK_SLOW);
    bool locked = original(mutex);
    if (locked) __tsan_acquire(mutex);
    return locked;
}

SWIFT void unlockSlow(SELF) {
    SWIFT void (*original)(SELF) = next(UNLOCK_SLOW);
    __tsan_release(mutex);
    original(mutex);
}
