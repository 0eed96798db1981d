import Credentials
import Fleet
import HTTP2
import LoadPlan
import Report
import Resources
import Transport

extension RunEnvironment {
    /// This build on this machine.
    static func current(profile: Profile, devices: UInt64, ownMock: Bool) throws(CommandFailure) -> RunEnvironment {
        let machine: Machine
        do throws(ResourceError) {
            machine = try Machine.current()
        } catch {
            throw CommandFailure("\(error)")
        }
        let versions = Versions.current()
        return RunEnvironment(
            revision: GitRevision.ofCheckout(around: Executable.path ?? ""),
            toolchain: "Swift \(versions.swift), \(BuildKind.name)",
            machine: MachineRecord(machine),
            libraries: [
                LibraryVersion(name: "nghttp2", version: NGHTTP2Library.version),
                LibraryVersion(name: "OpenSSL", version: OpenSSLLibrary.version),
                LibraryVersion(name: "libcurl", version: CurlLibrary.version),
                LibraryVersion(name: "glibc", version: versions.glibc),
            ],
            allocator: versions.allocator,
            hosts: ownMock ? "mock hosts, \(profile.mock.policy.rawValue)" : "running mock hosts",
            devices: devices
        )
    }
}

extension MachineRecord {
    fileprivate init(_ machine: Machine) {
        self.init(
            processor: machine.processor,
            architecture: machine.architecture,
            cores: machine.cores,
            usableCores: machine.usableCores,
            memoryBytes: machine.memoryBytes,
            isVirtual: machine.isVirtual,
            kernel: machine.kernel,
            distribution: machine.distribution
        )
    }
}

/// How this executable was compiled.
enum BuildKind {
    static var name: String {
        #if DEBUG
        "debug"
        #else
        "release"
        #endif
    }
}
