import CJemalloc

/// The memory allocator that this process runs with; it belongs in every record, for it changes what is measured.
package enum Allocator {
    /// Its name and version: `jemalloc 5.3.0`, or `not jemalloc` when something else took its place.
    package static let name: String = {
        guard isJemalloc else { return "not jemalloc" }
        // The version's tail is the git revision: 5.3.0-0-g54eaed1d8b56...
        let version = JemallocControl.text("version").flatMap { $0.split(separator: "-").first }
        return "jemalloc \(version ?? "of unknown version")"
    }()

    /// Whether `malloc` is jemalloc's, so that allocations can be counted.
    ///
    /// It is linked into every executable, but a sanitizer or a preloaded library can stand before it. So ask it: its count
    /// of this thread's bytes moves with a malloc, or malloc is another's.
    package static let isJemalloc: Bool = {
        guard let before = JemallocControl.threadCounter("thread.allocatedp") else { return false }
        pushbench_free(pushbench_malloc(64))
        return JemallocControl.threadCounter("thread.allocatedp") != before
    }()
}
