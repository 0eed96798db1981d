/// What a run was made with and on: the part of a record that tells whether two results may be compared.
package struct RunEnvironment: Sendable, Equatable, Codable {
    /// The git revision that pushbench was built from, or `unknown`.
    package var revision: String
    /// The compiler, such as `Swift 6.3.1, release`.
    package var toolchain: String
    package var machine: MachineRecord
    /// In a fixed order.
    package var libraries: [LibraryVersion]
    /// The process's allocator, such as `jemalloc 5.3.0`.
    package var allocator: String
    /// What was sent to, as people say it: `mock hosts, faithful`.
    package var hosts: String
    /// The size of the fleet; that of a CSV fleet is known only when it was read.
    package var devices: UInt64

    package init(
        revision: String,
        toolchain: String,
        machine: MachineRecord,
        libraries: [LibraryVersion],
        allocator: String,
        hosts: String,
        devices: UInt64
    ) {
        self.revision = revision
        self.toolchain = toolchain
        self.machine = machine
        self.libraries = libraries
        self.allocator = allocator
        self.hosts = hosts
        self.devices = devices
    }
}

/// The machine of a run, as far as results depend on it.
package struct MachineRecord: Sendable, Equatable, Codable {
    /// The model that the processor names.
    package var processor: String
    /// The instruction set, such as `x86_64`.
    package var architecture: String
    /// Cores that are switched on, and those that the process might use.
    package var cores: Int
    package var usableCores: Int
    package var memoryBytes: UInt64
    /// Whether a hypervisor may have taken time away.
    package var isVirtual: Bool
    package var kernel: String
    package var distribution: String

    package init(
        processor: String,
        architecture: String,
        cores: Int,
        usableCores: Int,
        memoryBytes: UInt64,
        isVirtual: Bool,
        kernel: String,
        distribution: String
    ) {
        self.processor = processor
        self.architecture = architecture
        self.cores = cores
        self.usableCores = usableCores
        self.memoryBytes = memoryBytes
        self.isVirtual = isVirtual
        self.kernel = kernel
        self.distribution = distribution
    }
}

/// A C library as it was loaded at run time.
package struct LibraryVersion: Sendable, Equatable, Codable {
    package var name: String
    package var version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
