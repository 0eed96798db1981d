/// The memory of this process that is in RAM, from `/proc/self/status` (proc(5)).
package struct ProcessMemory: Sendable, Equatable {
    /// Resident now (`VmRSS`), in bytes.
    package var residentBytes: UInt64

    /// The most that ever was resident (`VmHWM`), in bytes.
    package var peakResidentBytes: UInt64

    /// Reads the file; takes tens of microseconds and allocates, so not for every turn of a loop.
    package static func now() throws(ResourceError) -> ProcessMemory {
        let path = "/proc/self/status"
        return try ProcessMemory(status: TextFile.read(path), path: path)
    }

    init(status: String, path: String) throws(ResourceError) {
        residentBytes = try Self.kilobytes("VmRSS", in: status, path: path) * 1_024
        peakResidentBytes = try Self.kilobytes("VmHWM", in: status, path: path) * 1_024
    }

    private static func kilobytes(_ name: String, in status: String, path: String) throws(ResourceError) -> UInt64 {
        let number = TextFile.field(name, in: status)?.split(separator: " ").first.flatMap { UInt64($0) }
        guard let number else { throw .field(path: path, name: name) }
        return number
    }
}
