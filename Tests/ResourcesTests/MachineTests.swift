import Foundation
import Testing

@testable import Resources

@Suite struct MachineTests {
    @Test func textsOfTheKernelAreUnderstood() {
        let machine = Machine(
            cpuinfo: "processor\t: 0\nmodel name\t: Example CPU @ 3.00GHz\nflags\t\t: fpu hypervisor avx\n",
            status: "Name:\tx\nCpus_allowed:\tff,0000000d\nCpus_allowed_list:\t0\n",
            release: "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"
        )
        #expect(machine.processor == "Example CPU @ 3.00GHz")
        #expect(machine.isVirtual)
        #expect(machine.usableCores == 11)
        #expect(machine.distribution == "Debian GNU/Linux 12 (bookworm)")
    }

    @Test func textsThatSayNothingLeaveUnknowns() {
        let machine = Machine(cpuinfo: "processor\t: 0\n", status: "", release: "")
        #expect((machine.processor, machine.distribution, machine.isVirtual) == ("unknown", "unknown", false))
    }

    @Test func thisMachineIsDescribed() throws {
        let machine = try Machine.current()
        #expect(machine.cores >= 1)
        #expect((1...machine.cores).contains(machine.usableCores))
        #expect(machine.memoryBytes > 64 << 20)
        #expect(machine.kernel.first?.isNumber == true)
        #expect(!machine.architecture.isEmpty)
        #expect(try JSONDecoder().decode(Machine.self, from: JSONEncoder().encode(machine)) == machine)
    }

    @Test func versionsAreNumbers() {
        let versions = Versions.current()
        #expect(versions.swift.first?.isNumber == true)
        #expect(versions.glibc.hasPrefix("2."))
        #expect(versions.allocator == Allocator.name)
    }
}
