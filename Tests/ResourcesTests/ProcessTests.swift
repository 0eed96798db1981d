import Foundation
import Testing

@testable import Resources

@Suite struct ProcessMemoryTests {
    @Test func residentMemoryIsReadFromStatus() throws {
        let status = "Name:\ttest\nVmHWM:\t    1784 kB\nVmRSS:\t     900 kB\n"
        let memory = try ProcessMemory(status: status, path: "status")
        #expect(memory.residentBytes == 900 * 1_024)
        #expect(memory.peakResidentBytes == 1_784 * 1_024)
    }

    @Test(arguments: [
        ("", "VmRSS"), ("VmRSS:\t1 kB\n", "VmHWM"), ("VmRSS:\tmany kB\nVmHWM:\t1 kB\n", "VmRSS"), ("VmRSS:", "VmRSS"),
    ])
    func statusWithoutAFieldIsRefused(status: String, field: String) {
        #expect(throws: ResourceError.field(path: "status", name: field)) {
            try ProcessMemory(status: status, path: "status")
        }
    }

    @Test func touchedMemoryIsResident() throws {
        let before = try ProcessMemory.now()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 20, alignment: 4_096)
        defer { block.deallocate() }
        block.initializeMemory(as: UInt8.self, repeating: 1)
        let after = try ProcessMemory.now()
        // Other tests may have given memory back meanwhile, but not that much.
        #expect(after.residentBytes > before.residentBytes + (32 << 20))
        #expect(after.peakResidentBytes >= 64 << 20)
    }
}

@Suite struct CPUTimeTests {
    @Test func clocksAdvanceWithWork() {
        // The thread's last: what is used between two readings is not the thread's 20 ms.
        let before = (usage: ProcessUsage.now(), process: CPUClock.process(), thread: CPUClock.thread())
        // Until 20 ms of CPU are spent, however long that takes: more than the kernel's tick, which getrusage may keep to.
        while CPUClock.thread() - before.thread < 20_000_000 {}
        #expect(CPUClock.process() - before.process >= 20_000_000)
        #expect(ProcessUsage.now().cpuNanoseconds > before.usage.cpuNanoseconds)
    }

    @Test func pageFaultsAreCounted() {
        let before = ProcessUsage.now()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 20, alignment: 4_096)
        defer { block.deallocate() }
        block.initializeMemory(as: UInt8.self, repeating: 1)
        #expect(ProcessUsage.now().minorFaults > before.minorFaults)
    }
}

@Suite(.serialized) struct DescriptorTests {
    /// In a process of its own, because tests beside it open and close files.
    ///
    /// So may the libraries' threads of that process, while it starts: then the count is taken anew.
    @Test func openDescriptorsAreCounted() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<100 {
                let before = try Descriptors.open()
                let opened = (0..<5).map { _ in open("/dev/null", O_RDONLY) }
                let between = try Descriptors.open()
                for descriptor in opened { close(descriptor) }
                if between == before + 5, try Descriptors.open() == before { exit(0) }
                usleep(10_000)
            }
            exit(1)
        }
    }

    @Test func limitIsRaisedButNeverLoweredNorAboveTheHardOne() async {
        await #expect(processExitsWith: .success) {
            let hard = Descriptors.limit().hard
            var low = rlimit(rlim_cur: 64, rlim_max: rlim_t(hard))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
            let steps: [(wanted: UInt64, soft: UInt64)] = [(32, 64), (100, 100), (50, 100), (.max, hard)]
            for (wanted, soft) in steps {
                guard Descriptors.raiseLimit(to: wanted) == Descriptors.Limit(soft: soft, hard: hard) else { exit(1) }
            }
        }
    }
}

@Suite struct TextFileTests {
    @Test func wholeFileIsRead() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let text = String(repeating: "line of text\n", count: 5_000)
        try text.write(to: file, atomically: true, encoding: .utf8)
        #expect(try TextFile.read(file.path) == text)
    }

    @Test func missingFileIsNamed() {
        #expect(throws: ResourceError.file(path: "/nowhere/at/all", code: ENOENT)) {
            try TextFile.read("/nowhere/at/all")
        }
        #expect(ResourceError.file(path: "/nowhere", code: 2).description == "/nowhere: cannot be read (error 2)")
    }

    @Test func unknownStatisticIsNamed() {
        #expect(throws: ResourceError.statistic(name: "stats.nothing", code: ENOENT)) {
            try JemallocControl("stats.nothing")
        }
    }
}
