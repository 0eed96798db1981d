/// Colours for a terminal, or none: the caller knows whether there is one and whether `NO_COLOR` is set.
struct Paint {
    let isOn: Bool

    /// Good news.
    func good(_ text: String) -> String { wrap(text, "1;32") }

    /// Bad news.
    func bad(_ text: String) -> String { wrap(text, "1;31") }

    /// What is said in passing.
    func dim(_ text: String) -> String { wrap(text, "2") }

    /// SGR sequences of ECMA-48, understood by every terminal that shows colours.
    private func wrap(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
