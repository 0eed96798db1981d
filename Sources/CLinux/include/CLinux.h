#pragma once

// Linux calls that Swift's Glibc module does not offer, or offers only as variadics and macros.

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// Waits for events up to `timeout_ns` nanoseconds; negative waits without limit, 0 does not wait.
/// epoll_pwait2(2) where the kernel has it (5.11); otherwise ppoll(2) on the epoll descriptor and then
/// epoll_wait(2), which costs a second call but keeps the nanoseconds.
/// Returns the number of events, or -1 with errno (EINTR, or a programming error).
int linux_epoll_wait_ns(int epoll, struct epoll_event *events, int capacity, int64_t timeout_ns);

/// accept4(2) with SOCK_CLOEXEC and SOCK_NONBLOCK. `peer` is a struct sockaddr with room for `*length` bytes: untyped,
/// so that the type stays Glibc's in Swift. Returns the descriptor, or -1 with errno.
int linux_accept(int listener, void *peer, unsigned *length);

/// pipe2(2) with O_CLOEXEC: the reading end, then the writing end. Returns 0, or -1 with errno.
int linux_pipe(int ends[2]);

/// The monotonic clock (CLOCK_MONOTONIC) in nanoseconds.
int64_t linux_monotonic_ns(void);

/// The wall clock (CLOCK_REALTIME) in nanoseconds since 1970.
int64_t linux_wall_ns(void);

/// Asks the kernel to fire the calling thread's timers at most `ns` late on purpose (prctl PR_SET_TIMERSLACK;
/// the default is 50 µs). Returns 0, or -1 with errno.
int linux_set_timer_slack(uint64_t ns);

/// Restricts the calling thread to one core. Returns 0, or -1 with errno.
int linux_pin_thread(int core);

/// Names the calling thread as ps(1) and top(1) show it; longer names are cut at 15 bytes.
void linux_name_thread(const char *name);

/// A descriptor that becomes readable when process `pid` ends (pidfd_open(2), kernel 5.3), closed on exec.
/// Returns -1 with errno.
int linux_pidfd_open(int pid);

/// Installs handlers for SIGINT and SIGTERM that count the signals and write to `event_descriptor` (an eventfd).
/// With `exit_on_second`, the second signal ends the process at once with status 130. Returns 0, or -1 with errno.
int linux_signals_install(int event_descriptor, int exit_on_second);

/// Puts the default handlers for SIGINT and SIGTERM back, or with `ignore` has both ignored, and forgets the descriptor
/// and the count.
void linux_signals_uninstall(int ignore);

/// SIGINT and SIGTERM received since the handlers were installed.
int linux_signals_count(void);

/// The number of the first signal received, or 0.
int linux_signals_first(void);

/// malloc, realloc and free in the form that OpenSSL's CRYPTO_set_mem_functions takes, counting allocations for the
/// calling thread. Small blocks that were freed are kept for the thread and used again, uncounted. Count and blocks are
/// thread-local variables, which Swift can't declare.
void *linux_counted_malloc(size_t size, const char *file, int line);
void *linux_counted_realloc(void *memory, size_t size, const char *file, int line);
void linux_counted_free(void *memory, const char *file, int line);

/// Allocations that the calling thread has made through `linux_counted_malloc` and `linux_counted_realloc`.
uint64_t linux_counted_allocations(void);
