/// The batches of one lane that are in flight: which pushes are still to be answered, and what each was answered.
///
/// A batch is handed over whole, fans out into one request a push, and ends with its last answer; its results stand in
/// the order of its pushes, as `sendEachForMulticast` returns them. Storage is laid out once: nothing is allocated when a
/// batch starts or ends.
package struct Batches: Sendable {
    /// A batch that has just had its last answer.
    package struct Completed: Sendable, Equatable {
        /// Which slot it held; its results can be read until the next ``start(due:count:)``.
        package var slot: Int
        /// From its first due to its last answer, in nanoseconds.
        package var duration: Int64
    }

    private struct Slot: Sendable {
        var due: Int64 = 0
        var count = 0
        var remaining = 0
    }

    /// The result of a push that has not ended.
    package static let pending = Int32.min

    private let size: Int
    private var slots: [Slot]
    private var free: [Int]
    private var results: [Int32]

    /// - Parameters:
    ///   - size: the most pushes in a batch.
    ///   - inFlight: the most batches at a time.
    package init(size: Int, inFlight: Int) {
        precondition(size > 0 && inFlight > 0, "a lane of batches needs room for one push in one batch")
        self.size = size
        slots = Array(repeating: Slot(), count: inFlight)
        free = Array((0..<inFlight).reversed())
        results = Array(repeating: Self.pending, count: size * inFlight)
    }

    /// Whether another batch may start.
    package var hasRoom: Bool { !free.isEmpty }

    /// How many batches are in flight.
    package var inFlight: Int { slots.count - free.count }

    /// Starts a batch and returns its slot, or nil where as many as allowed are in flight.
    package mutating func start(due: Int64, count: Int) -> Int? {
        precondition(count > 0 && count <= size, "a batch of \(count) in a lane of batches of \(size)")
        guard let slot = free.popLast() else { return nil }
        slots[slot] = Slot(due: due, count: count, remaining: count)
        for position in 0..<count { results[slot * size + position] = Self.pending }
        return slot
    }

    /// Notes the result of one push; returns the batch when that was the last.
    ///
    /// - Parameter result: the index of the answer, or a negative number of the caller's for a push without one.
    package mutating func ended(slot: Int, position: Int, result: Int32, at now: Int64) -> Completed? {
        let index = slot * size + position
        precondition(results[index] == Self.pending, "push \(position) of batch slot \(slot) ended twice")
        results[index] = result
        slots[slot].remaining -= 1
        guard slots[slot].remaining == 0 else { return nil }
        free.append(slot)
        return Completed(slot: slot, duration: now - slots[slot].due)
    }

    /// The results of a slot's batch in the order of its pushes.
    package func results(of slot: Int) -> ArraySlice<Int32> {
        results[slot * size..<slot * size + slots[slot].count]
    }
}
