import Glibc
import Resources

/// Ends the program with one line on standard error.
func fail(_ message: String, code: Int32) -> Never {
    let line = "microbench: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(code)
}

/// Prints a line at once, into a pipe as well.
func show(_ line: String) {
    print(line)
    fflush(nil)
}

func measureAll(_ options: Options) throws {
    let selected = benchmarks.filter { options.selects($0.name) }
    guard !selected.isEmpty else { fail("--filter: no benchmark has such a name; see microbench --list", code: 64) }
    let machine = try Machine.current()
    let versions = Versions.current()
    guard Allocator.isJemalloc else { fail("allocations cannot be counted: \(Allocator.name)", code: 1) }
    var harness = try Harness()
    if options.quick {
        harness.repeats = 3
        harness.repeatNanoseconds = 2_000_000
    }
    let table = Table(names: selected.map { $0.name })
    if !options.json { show(table.header(machine, versions)) }
    var measurements: [Measurement] = []
    for benchmark in selected {
        measurements.append(try harness.measure(benchmark))
        if !options.json, let last = measurements.last { show(table.row(last)) }
    }
    if options.json { print(try Output(machine: machine, versions: versions, benchmarks: measurements).json()) }
}

/// Whether this build is not optimised.
///
/// Not inlined, lest the compiler warn that one of the branches is dead.
@inline(never)
func isDebugBuild() -> Bool { _isDebugAssertConfiguration() }

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if options.wantsHelp {
        print(Options.help, terminator: "")
    } else if options.list {
        for benchmark in benchmarks where options.selects(benchmark.name) { print(benchmark.name) }
    } else if isDebugBuild() {
        fail("this is a debug build, its figures mean nothing; use: swift run -c release microbench", code: 1)
    } else {
        try measureAll(options)
    }
} catch let error as Options.UsageError {
    fail(error.description, code: 64)
} catch {
    fail("\(error)", code: 1)
}
