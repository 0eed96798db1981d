/// The table of faults as text, for the command line and for the manual.
package enum FaultTable {
    /// For a terminal: each fault with its options, meaning and source.
    package static var text: String {
        var lines = [
            "Faults: --fault NAME[=VALUE][,OPTION[=VALUE]]..., any number of times; in a profile: mock.faults, a list of such texts.",
            "",
        ]
        for form in FaultForm.all {
            lines.append(form.usage)
            lines.append("    " + form.meaning)
            for option in form.options { lines.append("    \(option.usage)  \(option.meaning)") }
            if form.hosts != HostLane.all { lines.append("    Hosts: " + form.hosts.joined(separator: ", ") + ".") }
            lines.append("    Counts: \(form.counts). Seen: \(form.source).")
        }
        lines += ["", "Of every fault, as far as it counts something:"]
        for row in scopeRows { lines.append("    \(row.usage)  \(row.meaning)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For the manual: the faults as one table of Markdown.
    package static var markdown: String {
        var lines = ["| fault | what it does | options | counts | seen |", "| --- | --- | --- | --- | --- |"]
        for form in FaultForm.all {
            let options = form.options.map { "`\(escaped($0.usage))` \($0.meaning)" }.joined(separator: "<br>")
            let hosts = form.hosts == HostLane.all ? "" : " Hosts: " + form.hosts.joined(separator: ", ") + "."
            let cells = ["`\(escaped(form.usage))`", form.meaning + hosts, options, form.counts, form.source]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For the manual: the options of scopes.
    package static var scopeMarkdown: String {
        let rows = scopeRows.map { "| `\($0.usage)` | \($0.meaning) |" }
        return (["| option | meaning |", "| --- | --- |"] + rows).joined(separator: "\n") + "\n"
    }

    private static let scopeRows: [(usage: String, meaning: String)] = [
        ("share=SHARE", "Only so large a share, chosen by seed and number; the same in every run."),
        ("after=N", "Not the first N."),
        ("every=N", "Only each N-th of the rest, beginning with the first of them."),
        ("from=TIME", "Not before so long after the mock's start."),
        ("until=TIME", "Not later than so long after it."),
        ("lane=HOST", "Only that host: \(HostLane.all.joined(separator: ", "))."),
    ]

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}

extension FaultForm {
    fileprivate var counts: String {
        switch target {
        case .request: "requests of the host"
        case .connection: "connections of the host; after: requests of the connection"
        case .host: "nothing; lane, from and until only"
        case .standing: "nothing; lane only"
        case .mock: "nothing; always, everywhere"
        }
    }
}

extension FaultForm.Option {
    fileprivate var usage: String { syntax == .flag ? name : "\(name)=\(syntax.word)" }
}
