/// The wait before a lost connection is tried again: exponential with full jitter.
///
/// `wait(n) = random in (0, min(longest, first · 2ⁿ)]`. With 100 ms and 10 s: try 1 up to 200 ms, 3 up to 800 ms, from
/// the 7th up to 10 s.
package struct Backoff: Sendable, Equatable {
    /// Nanoseconds before the first further try.
    package var first: Int64
    /// The longest wait in nanoseconds.
    package var longest: Int64

    package init(first: Int64, longest: Int64) {
        self.first = first
        self.longest = longest
    }

    /// The wait after `failures` failed tries in a row.
    package func wait(_ failures: Int, _ jitter: UInt64) -> Int64 {
        1 + Int64(jitter % UInt64(most(failures)))
    }

    /// The longest wait after `failures` failed tries in a row.
    package func most(_ failures: Int) -> Int64 {
        // Capped before the shift can overflow.
        max(1, first > longest >> Int64(min(failures, 62)) ? longest : first << Int64(failures))
    }
}
