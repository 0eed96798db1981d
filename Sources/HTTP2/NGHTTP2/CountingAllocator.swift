internal import CNGHTTP2
internal import Glibc

/// Gives nghttp2 its memory and counts what it asks for, so that the library's allocations can be told from ours.
///
/// The counts and the `nghttp2_mem` live at a stable address for as long as the owner is alive; the owner deletes
/// every nghttp2 object made with it first.
final class CountingAllocator {
    struct Counts {
        var allocations: UInt64 = 0
        var bytes: UInt64 = 0

        mutating func add(_ size: Int) {
            allocations &+= 1
            bytes &+= UInt64(truncatingIfNeeded: size)
        }
    }

    let memory: UnsafeMutablePointer<nghttp2_mem>
    private let tally: UnsafeMutablePointer<Counts>

    var counts: Counts { tally.pointee }

    init() {
        tally = .allocate(capacity: 1)
        tally.initialize(to: Counts())
        memory = .allocate(capacity: 1)
        memory.initialize(
            to: nghttp2_mem(
                mem_user_data: UnsafeMutableRawPointer(tally),
                malloc: allocate,
                free: release,
                calloc: allocateZeroed,
                realloc: reallocate
            )
        )
    }

    deinit {
        memory.deallocate()
        tally.deallocate()
    }
}

private func allocate(_ size: Int, _ tally: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    tally?.assumingMemoryBound(to: CountingAllocator.Counts.self).pointee.add(size)
    return malloc(size)
}

private func allocateZeroed(_ count: Int, _ size: Int, _ tally: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    tally?.assumingMemoryBound(to: CountingAllocator.Counts.self).pointee.add(count &* size)
    return calloc(count, size)
}

private func reallocate(
    _ block: UnsafeMutableRawPointer?,
    _ size: Int,
    _ tally: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    tally?.assumingMemoryBound(to: CountingAllocator.Counts.self).pointee.add(size)
    return realloc(block, size)
}

private func release(_ block: UnsafeMutableRawPointer?, _ tally: UnsafeMutableRawPointer?) {
    free(block)
}
