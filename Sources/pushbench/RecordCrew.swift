import Driver
import Report
import Resources
import Synchronization

/// Reads records and joins them, on every core, one record a thread at a time.
enum RecordCrew {
    private final class Work: Sendable {
        let paths: [String]
        let next = Atomic<Int>(0)
        let failure = Mutex<(index: Int, failure: CommandFailure)?>(nil)
        let merged = Mutex(RecordMerge())

        init(_ paths: [String]) {
            self.paths = paths
        }

        /// Takes records until there are no more, or one can't be read.
        func perform() {
            var own = RecordMerge()
            while failure.withLock({ $0 == nil }) {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < paths.count else { break }
                do throws(CommandFailure) {
                    try Self.add(paths[index], to: &own)
                } catch {
                    failure.withLock { first in
                        if first.map({ index < $0.index }) ?? true { first = (index, error) }
                    }
                }
            }
            own.settle()
            merged.withLock { $0.add(own) }
        }

        private static func add(_ path: String, to merge: inout RecordMerge) throws(CommandFailure) {
            let source = try RecordSource(path)
            do throws(RecordError) {
                try merge.add(source.record, file: path)
            } catch {
                throw CommandFailure("\(error)")
            }
        }
    }

    /// Joins the records of results, each a folder or a record's file.
    static func merge(_ paths: [String]) throws(CommandFailure) -> RecordMerge {
        let work = Work(paths)
        let cores = (try? Machine.current())?.usableCores ?? 1
        var threads: [WorkerThread] = []
        // With fewer threads than wished for the work is done as well.
        for _ in 1..<max(1, min(cores, paths.count)) {
            if let thread = try? WorkerThread({ work.perform() }) { threads.append(thread) }
        }
        work.perform()
        for thread in threads { thread.join() }
        if let failure = work.failure.withLock({ $0?.failure }) { throw failure }
        return work.merged.withLock { $0 }
    }
}
