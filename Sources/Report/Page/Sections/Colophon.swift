/// The foot of the page: how to read it, and what the run was made with and on.
enum Colophon {
    static func write(_ record: RunRecord, to text: ResultText) {
        let environment = record.environment
        let machine = environment.machine
        let memory = (machine.memoryBytes + (1 << 29)) >> 30
        let facts: [(String, String)] = [
            (
                "machine",
                "\(machine.processor), \(machine.usableCores) of \(machine.cores) cores, \(memory) GiB"
                    + (machine.isVirtual ? ", virtual" : "")
            ),
            ("system", "\(machine.distribution), kernel \(machine.kernel), \(machine.architecture)"),
            ("pushbench", "\(environment.revision), \(environment.toolchain), \(environment.allocator)"),
            ("libraries", environment.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")),
            ("plan", "\(record.planHash), sent \(record.sentHash)"),
        ]
        text.append(
            "<footer><p>Response time runs from a push's planned time to its answer: what a user of the service would feel. "
        )
        text.append(
            "Service time runs from its first frame on the wire: what the host took. Lag is the generator's own lateness. "
        )
        text.append("Warm-up is shaded, and left out of every figure and table but those over time.</p>\n<dl>")
        for (name, value) in facts where !value.isEmpty {
            text.append("<div><dt>\(name)</dt><dd>\(HTMLText.escape(value))</dd></div>")
        }
        text.append("</dl></footer>\n")
    }
}
