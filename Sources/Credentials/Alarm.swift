import Glibc

/// Lets one thread sleep until a monotonic time, or until another thread rings.
///
/// A ring that comes while nobody sleeps is kept: the next `wait` returns at once.
final class Alarm: @unchecked Sendable {
    // Both need an address that never changes. `isRung` is read and written under the mutex only.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isRung = false

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        let isReady =
            pthread_mutex_init(mutex, nil) == 0 && pthread_condattr_init(&attributes) == 0
            && pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
            && pthread_cond_init(condition, &attributes) == 0
        precondition(isReady, "a condition variable could not be made")
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Wakes the sleeper, now or as soon as it wants to sleep.
    func ring() {
        pthread_mutex_lock(mutex)
        isRung = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Sleeps until a ring or until `deadline` (monotonic nanoseconds; nil: for a ring only).
    func wait(until deadline: Int64?) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isRung {
            guard let deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            let time = max(deadline, 0)
            var limit = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
            if pthread_cond_timedwait(condition, mutex, &limit) == ETIMEDOUT { return }
        }
        isRung = false
    }
}
