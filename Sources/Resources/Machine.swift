import Glibc

/// The machine a run was made on, as far as results depend on it: two results compare only if theirs are equal.
package struct Machine: Sendable, Equatable, Codable {
    /// The processor's model name, or "unknown".
    package var processor: String

    /// The instruction set, as `uname -m` says it.
    package var architecture: String

    /// Cores that are switched on.
    package var cores: Int

    /// Cores that this process may run on (`taskset`, cpusets).
    package var usableCores: Int

    /// RAM, in bytes.
    package var memoryBytes: UInt64

    /// Whether a hypervisor says so in the processor's flags: then other guests can take time away.
    package var isVirtual: Bool

    /// The kernel's release, as `uname -r` says it.
    package var kernel: String

    /// The distribution's name for people, or "unknown".
    package var distribution: String

    /// Describes this machine.
    package static func current() throws(ResourceError) -> Machine {
        var machine = Machine(
            cpuinfo: try TextFile.read("/proc/cpuinfo"),
            status: try TextFile.read("/proc/self/status"),
            release: (try? TextFile.read("/etc/os-release")) ?? ""
        )
        machine.cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        machine.memoryBytes = UInt64(sysconf(Int32(_SC_PHYS_PAGES))) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
        let system = System.name()
        machine.architecture = system.architecture
        machine.kernel = system.kernel
        return machine
    }

    /// Takes what the three texts say and leaves the rest empty.
    init(cpuinfo: String, status: String, release: String) {
        processor = TextFile.field("model name", in: cpuinfo) ?? "unknown"
        isVirtual = TextFile.field("flags", in: cpuinfo)?.split(separator: " ").contains("hypervisor") ?? false
        // A mask in hexadecimal words, such as "ffffffff,0000000f".
        let mask = TextFile.field("Cpus_allowed", in: status) ?? ""
        usableCores = mask.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        let name = TextFile.field("PRETTY_NAME", separator: "=", in: release)
        distribution = name.map { String($0.filter { $0 != "\"" }) } ?? "unknown"
        architecture = ""
        kernel = ""
        cores = 0
        memoryBytes = 0
    }
}

/// The versions of what this room and the language stand on; the rooms that own other C libraries know those.
package struct Versions: Sendable, Equatable, Codable {
    /// The Swift standard library's.
    package var swift: String

    /// The C library's.
    package var glibc: String

    /// `Allocator.name`.
    package var allocator: String

    package static func current() -> Versions {
        Versions(swift: "\(_SwiftStdlibVersion.current)", glibc: System.libraryVersion(), allocator: Allocator.name)
    }
}

/// What the kernel and the C library say about themselves.
private enum System {
    /// The corresponding C function is `uname`.
    static func name() -> (kernel: String, architecture: String) {
        var name = utsname()
        // EFAULT only.
        precondition(uname(&name) == 0, "uname failed")
        return (text(&name.release), text(&name.machine))
    }

    /// The C library's version without its name, from `confstr(_CS_GNU_LIBC_VERSION)`: "glibc 2.36".
    static func libraryVersion() -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count)
        guard (1...buffer.count).contains(length) else { return "unknown" }
        let text = String(decoding: buffer.prefix(length - 1).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.split(separator: " ").last.map(String.init) ?? "unknown"
    }

    /// A C string in a field of fixed size, which Swift sees as a tuple.
    private static func text<Field>(_ field: inout Field) -> String {
        withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
