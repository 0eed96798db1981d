/// The command line of `microbench`.
struct Options {
    static let help = """
        Measures single operations of pushbench: CPU time and allocations of each. Release builds only.

        usage: microbench [--filter TEXT] [--json] [--list] [--quick]

          --filter TEXT  only benchmarks whose name contains TEXT; may be given more than once
          --json         one JSON document on standard output
          --list         names only
          --quick        fewer and shorter repeats: good for a look, not for comparing

        example: swift run -c release microbench --filter histogram

        """

    /// Parts of names; empty means all.
    var filters: [String] = []
    var json = false
    var list = false
    var quick = false
    var wantsHelp = false

    /// Why the command line is not understood, in one line.
    struct UsageError: Error {
        let description: String
    }

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--filter":
                guard let text = rest.popFirst() else { throw UsageError(description: "--filter: needs a text") }
                filters.append(text)
            case "--json": json = true
            case "--list": list = true
            case "--quick": quick = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError(description: "\(argument): unknown option; see microbench --help")
            }
        }
    }

    func selects(_ name: String) -> Bool {
        filters.isEmpty || filters.contains { name.contains($0) }
    }
}
