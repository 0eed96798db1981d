import CLinux
import Foundation

/// A pipe that no other program inherits, however many are started at the same time.
///
/// Foundation's `Pipe` is inherited by whatever is started next, and would have no end for as long as that lives.
struct PrivatePipe {
    let reader: FileHandle
    let writer: FileHandle

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard linux_pipe(&ends) == 0 else { throw ProgramFailure("no pipe: \(String(cString: strerror(errno)))") }
        reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        writer = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }
}
