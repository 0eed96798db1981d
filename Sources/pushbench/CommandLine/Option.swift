/// One option of a command.
struct Option {
    /// Without the dashes.
    let name: String
    /// What stands for the value in help, such as `DIR`; nil for a switch.
    let argument: String?
    let help: String
    /// Whether it may be given more than once.
    let isRepeatable: Bool

    private init(_ name: String, argument: String?, help: String, isRepeatable: Bool) {
        self.name = name
        self.argument = argument
        self.help = help
        self.isRepeatable = isRepeatable
    }

    /// An option without a value.
    static func flag(_ name: String, _ help: String) -> Option {
        Option(name, argument: nil, help: help, isRepeatable: false)
    }

    /// An option with one value.
    ///
    /// - Parameter default: what holds without it, as help shows it.
    static func value(_ name: String, _ argument: String, _ help: String, default: String? = nil) -> Option {
        // Within the sentence that the help is.
        let sentence = help.last == "." ? help.dropLast() : help[...]
        let whole = `default`.map { "\(sentence) (default: \($0))." } ?? help
        return Option(name, argument: argument, help: whole, isRepeatable: false)
    }

    /// An option with a value that may be given again and again.
    static func values(_ name: String, _ argument: String, _ help: String) -> Option {
        Option(name, argument: argument, help: help, isRepeatable: true)
    }

    /// How it is written in help: `--out DIR`.
    var form: String { argument.map { "--\(name) \($0)" } ?? "--\(name)" }
}
