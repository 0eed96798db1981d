import LoadPlan

/// A command's arguments, taken apart by its options.
struct Arguments {
    /// The arguments that are not options.
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    /// `--help` was among them.
    private(set) var wantsHelp = false
    private let form: CommandForm

    /// Takes `--name value`, `--name=value`, and everything after `--` as operands.
    init(_ words: [String], for form: CommandForm) throws(CommandFailure) {
        self.form = form
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            if word.hasPrefix("--") {
                try takeOption(word.dropFirst(2), &rest)
            } else if word.hasPrefix("-"), word != "-" {
                throw unknown(word)
            } else {
                operands.append(word)
            }
        }
        if wantsHelp { return }
        guard form.operandCount.contains(operands.count) else { throw wrongCount() }
    }

    private mutating func takeOption(_ word: Substring, _ rest: inout ArraySlice<String>) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if name == "help" {
            wantsHelp = true
            return
        }
        guard let option = form.options.first(where: { $0.name == name }) else { throw unknown("--\(name)") }
        guard option.isRepeatable || values[name] == nil else { throw .usage("--\(name) is given twice") }
        guard let argument = option.argument else {
            guard attached == nil else { throw .usage("--\(name) takes no value") }
            values[name] = [""]
            return
        }
        guard let value = attached ?? rest.popFirst() else { throw .usage("--\(name) needs a value: \(argument)") }
        values[name, default: []].append(value)
    }

    private func unknown(_ word: String) -> CommandFailure {
        let names = form.options.map(\.name) + ["help"]
        let bare = String(word.drop { $0 == "-" })
        let hint = EditDistance.nearest(to: bare, in: names).map { "; did you mean --\($0)?" } ?? ""
        return .usage("\(form.name): unknown option \(word)\(hint)")
    }

    private func wrongCount() -> CommandFailure {
        if operands.count > form.operandCount.upperBound {
            return .usage("\(form.name): unexpected argument \(operands[form.operandCount.upperBound])")
        }
        return .usage("\(form.name): missing argument \(form.operands)")
    }
}

extension Arguments {
    /// Whether a switch is set.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option; nil where it is not given.
    func value(_ name: String) -> String? { values[name]?.last }

    /// The values of an option that may be given more than once.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option as a whole number.
    func integer<Number: FixedWidthInteger>(
        _ name: String,
        in range: ClosedRange<Number>
    ) throws(CommandFailure) -> Number? {
        guard let text = value(name) else { return nil }
        guard let number = Number(text.filter { $0 != "_" }), range.contains(number) else {
            throw .usage(
                "--\(name) is \(text); allowed: a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The value of an option as a duration in nanoseconds.
    func duration(_ name: String) throws(CommandFailure) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let duration = Quantity.duration(text) else {
            throw .usage("--\(name) is \(text); allowed: a duration such as 500ms, 30s or 2m")
        }
        return duration
    }
}
