#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000LL

// The system calls are made by number so that the binary still runs where glibc is older than the kernel.
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

// Set once the kernel (or a sandbox's filter) has refused epoll_pwait2; every thread may read and set it.
static atomic_int pwait2_missing = 0;

static int wait_by_ppoll(int epoll, struct epoll_event *events, int capacity, const struct timespec *timeout) {
    struct pollfd poll = {.fd = epoll, .events = POLLIN};
    int ready = ppoll(&poll, 1, timeout, NULL);
    return ready <= 0 ? ready : epoll_wait(epoll, events, capacity, 0);
}

int linux_epoll_wait_ns(int epoll, struct epoll_event *events, int capacity, int64_t timeout_ns) {
    struct timespec limit = {.tv_sec = timeout_ns / NS_PER_S, .tv_nsec = timeout_ns % NS_PER_S};
    struct timespec *timeout = timeout_ns < 0 ? NULL : &limit;
    if (timeout_ns == 0) return epoll_wait(epoll, events, capacity, 0);
    if (!atomic_load_explicit(&pwait2_missing, memory_order_relaxed)) {
        int count = (int)syscall(SYS_epoll_pwait2, epoll, events, capacity, timeout, NULL, 0);
        if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
        atomic_store_explicit(&pwait2_missing, 1, memory_order_relaxed);
    }
    return wait_by_ppoll(epoll, events, capacity, timeout);
}

int linux_accept(int listener, void *peer, unsigned *length) {
    return accept4(listener, peer, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

static int64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * NS_PER_S + time.tv_nsec;
}

int64_t linux_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

int64_t linux_wall_ns(void) { return clock_ns(CLOCK_REALTIME); }

int linux_set_timer_slack(uint64_t ns) { return prctl(PR_SET_TIMERSLACK, (unsigned long)ns, 0, 0, 0); }

int linux_pin_thread(int core) {
    if (core < 0 || core >= CPU_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof(set), &set);
}

void linux_name_thread(const char *name) {
    char cut[16] = {0};
    strncpy(cut, name, sizeof(cut) - 1);
    pthread_setname_np(pthread_self(), cut);
}

int linux_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// What the signal handler touches: lock-free atomics only, because it may interrupt anything.
static atomic_int signal_descriptor = -1;
static atomic_int signal_exit_on_second = 0;
static atomic_int signal_count = 0;
static atomic_int signal_first = 0;

static void on_signal(int number) {
    int saved = errno;
    int none = 0;
    atomic_compare_exchange_strong(&signal_first, &none, number);
    if (atomic_fetch_add(&signal_count, 1) > 0 && atomic_load(&signal_exit_on_second)) _exit(130);
    int descriptor = atomic_load(&signal_descriptor);
    if (descriptor >= 0) {
        uint64_t one = 1;
        // An eventfd takes a write unless its counter would pass 2^64 - 1; there is nobody to tell if it does.
        if (write(descriptor, &one, sizeof(one)) < 0) {}
    }
    errno = saved;
}

int linux_signals_install(int event_descriptor, int exit_on_second) {
    atomic_store(&signal_count, 0);
    atomic_store(&signal_first, 0);
    atomic_store(&signal_exit_on_second, exit_on_second);
    atomic_store(&signal_descriptor, event_descriptor);
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0) return -1;
    return sigaction(SIGTERM, &action, NULL);
}

void linux_signals_uninstall(int ignore) {
    signal(SIGINT, ignore ? SIG_IGN : SIG_DFL);
    signal(SIGTERM, ignore ? SIG_IGN : SIG_DFL);
    atomic_store(&signal_descriptor, -1);
    atomic_store(&signal_count, 0);
    atomic_store(&signal_first, 0);
}

int linux_signals_count(void) { return atomic_load(&signal_count); }

int linux_signals_first(void) { return atomic_load(&signal_first); }

// OpenSSL 3 makes and frees three blocks of up to 48 bytes for every TLS record that it writes. Blocks of that size
// stay with the thread that frees them, up to a limit, and are used again; only what is new is counted. Every block has
// its size in front of it, since a block may be freed by another thread than its maker.
#define KEPT_SIZE 64
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// A block that is kept would hide from the sanitizer who uses it after its end.
#define MOST_KEPT 0
#endif
#endif
#ifndef MOST_KEPT
#define MOST_KEPT 256
#endif

typedef struct {
    _Alignas(16) size_t size;
} block_header;

typedef struct kept_block {
    struct kept_block *next;
} kept_block;

static _Thread_local uint64_t counted_allocations;
static _Thread_local kept_block *kept;
static _Thread_local int kept_count;
// Whether the end of the thread will free what it keeps.
static _Thread_local int end_is_watched;
static pthread_key_t end_of_thread;
static pthread_once_t end_of_thread_once = PTHREAD_ONCE_INIT;

// Called again by the C library where another destructor, such as OpenSSL's, frees blocks after this one.
static void free_kept(void *value) {
    (void)value;
    end_is_watched = 0;
    while (kept != NULL) {
        kept_block *block = kept;
        kept = block->next;
        free((block_header *)block - 1);
    }
    kept_count = 0;
}

static void make_end_of_thread(void) { pthread_key_create(&end_of_thread, free_kept); }

static void watch_end_of_thread(void) {
    pthread_once(&end_of_thread_once, make_end_of_thread);
    pthread_setspecific(end_of_thread, &end_is_watched);
    end_is_watched = 1;
}

static void *payload(block_header *block, size_t size) {
    if (block == NULL) return NULL;
    block->size = size;
    return block + 1;
}

void *linux_counted_malloc(size_t size, const char *file, int line) {
    (void)file, (void)line;
    if (size <= KEPT_SIZE && kept != NULL) {
        kept_block *block = kept;
        kept = block->next;
        kept_count--;
        return block;
    }
    if (size > SIZE_MAX - sizeof(block_header)) return NULL;
    if (size < KEPT_SIZE) size = KEPT_SIZE;
    counted_allocations++;
    return payload(malloc(sizeof(block_header) + size), size);
}

void *linux_counted_realloc(void *memory, size_t size, const char *file, int line) {
    if (memory == NULL) return linux_counted_malloc(size, file, line);
    if (size == 0) {
        linux_counted_free(memory, file, line);
        return NULL;
    }
    block_header *block = (block_header *)memory - 1;
    if (size <= block->size && block->size == KEPT_SIZE) return memory;
    if (size > SIZE_MAX - sizeof(block_header)) return NULL;
    if (size < KEPT_SIZE) size = KEPT_SIZE;
    counted_allocations++;
    return payload(realloc(block, sizeof(block_header) + size), size);
}

void linux_counted_free(void *memory, const char *file, int line) {
    (void)file, (void)line;
    if (memory == NULL) return;
    block_header *block = (block_header *)memory - 1;
    if (block->size == KEPT_SIZE && kept_count < MOST_KEPT) {
        kept_block *freed = memory;
        freed->next = kept;
        kept = freed;
        kept_count++;
        if (!end_is_watched) watch_end_of_thread();
        return;
    }
    free(block);
}

uint64_t linux_counted_allocations(void) { return counted_allocations; }
