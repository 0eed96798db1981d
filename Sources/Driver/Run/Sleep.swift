import Glibc

/// Lets the calling thread sleep; a signal may end the sleep early.
func sleep(nanoseconds: Int64) {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    nanosleep(&time, nil)
}
