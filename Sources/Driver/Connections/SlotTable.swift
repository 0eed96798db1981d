/// One push in flight on a connection: one cache line, since each push touches one.
struct PushSlot: BitwiseCopyable {
    var push: UInt64 = 0
    /// The device's number within the lane.
    var ordinal: UInt64 = 0
    /// The push's part of the order-independent hash of what was sent.
    var hash: UInt64 = 0
    /// Monotonic nanoseconds, as all times here.
    var due: Int64 = 0
    var submitted: Int64 = 0
    /// When the session was given it; once ``isWritten``, when its HEADERS frame was serialised.
    var startedAt: Int64 = 0
    /// The token that it went out with; as many as this can't be renewed while a push is in flight.
    var generation: UInt32 = 0
    /// The batch's slot, or -1 where the lane has no batches.
    var batch: Int16 = -1
    var phase: UInt16 = 0
    /// In the batch.
    var position: UInt16 = 0
    /// How many times the push's HEADERS have been written, on this connection or another.
    var attempts: UInt16 = 0
    /// The answer's HTTP status; 0 until it came.
    var status: UInt16 = 0
    /// How many times the push's token was called expired, before this attempt.
    var complaints: UInt8 = 0
    private var flags: UInt8 = 0

    var isTaken: Bool {
        get { flags & 1 != 0 }
        set { set(1, newValue) }
    }

    /// The HEADERS frame was serialised.
    var isWritten: Bool {
        get { flags & 2 != 0 }
        set { set(2, newValue) }
    }

    /// The push timed out and its stream was reset; the slot waits for the session to let go of it.
    var timedOut: Bool {
        get { flags & 4 != 0 }
        set { set(4, newValue) }
    }

    /// Whether there is a ``PushTrouble`` of this push.
    var hasTrouble: Bool {
        get { flags & 8 != 0 }
        set { set(8, newValue) }
    }

    @inline(__always)
    private mutating func set(_ flag: UInt8, _ isOn: Bool) { flags = isOn ? flags | flag : flags & ~flag }
}

/// What is kept only of pushes that don't go well; apart, so that the others needn't touch it.
struct PushTrouble: BitwiseCopyable {
    /// The answer's `retry-after` in nanoseconds; -1 without one.
    var retryAfter: Int64 = -1
    /// Bytes of the answer's body that were kept.
    var bodyCount: UInt16 = 0
    /// The code with which the stream was reset; larger ones than an error of RFC 9113 count as one.
    var resetCode: UInt8 = 0
}

/// The slots of one connection: what is in flight, and the memory that its requests are written into.
///
/// Laid out once. A request's path, id and body stay where they were written until the session reports the stream
/// closed, because the session keeps pointers to them; only then is the slot free again.
struct SlotTable: ~Copyable {
    /// Bytes of an answer's body that are kept for finding its reason.
    static let bodyLimit = 1024
    /// Room for `/3/device/` and the longest token, and for an `apns-id` behind it.
    static let pathLimit = 224
    private static let idLimit = 40

    let count: Int
    private let slots: UnsafeMutablePointer<PushSlot>
    private let troubles: UnsafeMutablePointer<PushTrouble>
    /// Of requests: what one push needs lies together, so that little memory is touched per push.
    private let bytes: UnsafeMutableRawPointer
    /// Of answers that are no success.
    private let bodies: UnsafeMutableRawPointer
    private let stride: Int
    private let requestBodyLimit: Int
    private let free: UnsafeMutablePointer<UInt32>
    private var freeCount: Int

    /// - Parameters:
    ///   - count: how many pushes may be in flight.
    ///   - requestBodyLimit: the longest body that is made per push; 0 where bodies are shared.
    init(count: Int, requestBodyLimit: Int) {
        self.count = count
        self.requestBodyLimit = requestBodyLimit
        stride = (Self.idLimit + Self.pathLimit + requestBodyLimit + 63) & ~63
        slots = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<PushSlot>.stride * count, alignment: 64)
            .initializeMemory(as: PushSlot.self, repeating: PushSlot(), count: count)
        // Not written yet: pages that no push has used cost no memory.
        troubles = .allocate(capacity: count)
        bytes = .allocate(byteCount: stride * count, alignment: 64)
        bodies = .allocate(byteCount: Self.bodyLimit * count, alignment: 64)
        free = .allocate(capacity: count)
        for index in 0..<count { free[index] = UInt32(count - 1 - index) }
        freeCount = count
    }

    deinit {
        // All element types are trivial.
        slots.deallocate()
        troubles.deallocate()
        bytes.deallocate()
        bodies.deallocate()
        free.deallocate()
    }

    var taken: Int { count - freeCount }

    /// Takes a free slot, or nil where all are taken.
    mutating func take() -> UInt32? {
        guard freeCount > 0 else { return nil }
        freeCount -= 1
        let slot = free[freeCount]
        slots[Int(slot)] = PushSlot()
        slots[Int(slot)].isTaken = true
        return slot
    }

    /// Gives a slot back.
    mutating func release(_ slot: UInt32) {
        precondition(slots[Int(slot)].isTaken, "slot \(slot) was given back twice")
        slots[Int(slot)].isTaken = false
        free[freeCount] = slot
        freeCount += 1
    }

    /// The slot's record.
    subscript(slot: UInt32) -> PushSlot {
        get { slots[Int(slot)] }
        nonmutating set { slots[Int(slot)] = newValue }
    }

    /// The record in place.
    func pointer(_ slot: UInt32) -> UnsafeMutablePointer<PushSlot> { slots + Int(slot) }

    /// Where the slot's path is written.
    func path(_ slot: UInt32) -> UnsafeMutableRawBufferPointer { region(slot, at: Self.idLimit, Self.pathLimit) }

    /// Where the slot's `apns-id` is written.
    func id(_ slot: UInt32) -> UnsafeMutableRawBufferPointer { region(slot, at: 0, Self.idLimit) }

    /// Where the slot's request body is written.
    func requestBody(_ slot: UInt32) -> UnsafeMutableRawBufferPointer {
        region(slot, at: Self.idLimit + Self.pathLimit, requestBodyLimit)
    }

    /// What went wrong with the push, to be written to.
    func trouble(_ slot: UInt32) -> UnsafeMutablePointer<PushTrouble> {
        if !slots[Int(slot)].hasTrouble {
            (troubles + Int(slot)).initialize(to: PushTrouble())
            slots[Int(slot)].hasTrouble = true
        }
        return troubles + Int(slot)
    }

    /// What the answer's `retry-after` says, in nanoseconds from when it came; nil without one.
    func retryAfter(_ slot: UInt32) -> Int64? {
        guard slots[Int(slot)].hasTrouble, troubles[Int(slot)].retryAfter >= 0 else { return nil }
        return troubles[Int(slot)].retryAfter
    }

    /// The code with which the push's stream was reset; 0 where it was not.
    func resetCode(_ slot: UInt32) -> UInt8 { slots[Int(slot)].hasTrouble ? troubles[Int(slot)].resetCode : 0 }

    /// Keeps the start of an answer's body.
    func appendBody(_ slot: UInt32, _ more: UnsafeRawBufferPointer) {
        let trouble = trouble(slot)
        let kept = Int(trouble.pointee.bodyCount)
        let taken = min(more.count, Self.bodyLimit - kept)
        guard taken > 0, let source = more.baseAddress else { return }
        (bodies + Int(slot) * Self.bodyLimit + kept).copyMemory(from: source, byteCount: taken)
        trouble.pointee.bodyCount += UInt16(taken)
    }

    /// The kept start of the answer's body.
    func body(_ slot: UInt32) -> UnsafeRawBufferPointer {
        let count = slots[Int(slot)].hasTrouble ? Int(troubles[Int(slot)].bodyCount) : 0
        return UnsafeRawBufferPointer(start: bodies + Int(slot) * Self.bodyLimit, count: count)
    }

    private func region(_ slot: UInt32, at offset: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: bytes + Int(slot) * stride + offset, count: count)
    }
}
