/// Which requests or connections a fault strikes.
package struct FaultScope: Sendable, Equatable {
    /// Of those that the rest of the scope lets through, chosen by seed and number.
    package var share = 1.0
    /// Only from the one that so many came before.
    package var after: UInt64 = 0
    /// Only each so-manieth.
    package var every: UInt64 = 1
    /// Nanoseconds since the mock's start.
    package var from: Int64 = 0
    package var until = Int64.max
    /// The only host that has it; nil for all that can.
    package var lane: String?

    package init() {}
}

/// A fault that a mock host is to have, as it was written: `reset=REFUSED_STREAM,share=1%,lane=fcm`.
package struct Fault: Sendable, Equatable, CustomStringConvertible {
    package let knob: FaultKnob
    /// Its value, given or standard; nil for a fault that has none.
    package let value: FaultValue?
    /// Options of its own that were given.
    private let options: [String: FaultValue]
    package let scope: FaultScope
    /// As it was written.
    package let description: String

    /// Reads `NAME[=VALUE][,OPTION[=VALUE]]...`.
    package init(_ text: String) throws(FaultError) {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(FaultPart.init)
        let head = parts.removeFirst()
        guard let knob = FaultKnob(rawValue: head.name) else { throw .unknown(head.name) }
        let form = knob.form
        value = try Self.value(head, form)
        var options: [String: FaultValue] = [:]
        var scope = FaultScope()
        var seen: Set<String> = []
        for part in parts {
            guard seen.insert(part.name).inserted else { throw .twice(knob: knob, option: part.name) }
            if let option = form.options.first(where: { $0.name == part.name }) {
                options[part.name] = try part.read(as: option.syntax, of: knob)
            } else if form.scopeNames.contains(part.name) {
                try scope.take(part, of: form)
            } else {
                throw .unknownOption(knob: knob, part.name, known: form.options.map(\.name) + form.scopeNames)
            }
        }
        guard scope.from < scope.until else { throw .window(knob: knob) }
        self.knob = knob
        self.options = options
        self.scope = scope
        description = text
        try check()
    }

    private static func value(_ head: FaultPart, _ form: FaultForm) throws(FaultError) -> FaultValue? {
        guard let syntax = form.value else {
            guard head.value == nil else { throw .noValue(knob: form.knob) }
            return nil
        }
        guard let text = head.value ?? form.standard else {
            throw .needsValue(knob: form.knob, allowed: syntax.allowed)
        }
        guard let value = syntax.read(text) else {
            throw .value(knob: form.knob, option: nil, text, allowed: syntax.allowed)
        }
        return value
    }

    private func check() throws(FaultError) {
        if knob == .freeze, scope.until == .max { throw .needsOption(knob: knob, "until=TIME") }
        if knob == .answer, let lane = scope.lane, !strikes(host: lane) {
            let allowed = FaultForm.refusals(of: lane).joined(separator: ", ")
            throw .value(knob: knob, option: nil, word() ?? "", allowed: "for \(lane): \(allowed)")
        }
        // Which requests are dropped must be known when they come.
        if let last = number("last"), options["age"] != nil || options["idle"] != nil || scope.after < UInt64(-last) {
            throw .needsOption(knob: knob, "after=N, of at least as many requests as last drops")
        }
    }

    /// Whether a host has it.
    package func strikes(host: String) -> Bool {
        guard scope.lane.map({ $0 == host }) ?? knob.form.hosts.contains(host) else { return false }
        guard knob == .answer, let word = word() else { return true }
        return FaultForm.refusals(of: host).contains(word)
    }
}

// MARK: - Values by kind; asking for another kind than the table's is our bug and traps.

extension Fault {
    /// An option that is there or not.
    package func has(_ option: String) -> Bool { options[option] != nil }

    package func number(_ option: String? = nil) -> Int64? {
        guard let found = find(option) else { return nil }
        guard case .number(let number) = found else { preconditionFailure("\(self): \(found) is no number") }
        return number
    }

    package func time(_ option: String? = nil) -> Int64? {
        guard let found = find(option) else { return nil }
        guard case .time(let time) = found else { preconditionFailure("\(self): \(found) is no time") }
        return time
    }

    package func share(_ option: String? = nil) -> Double? {
        guard let found = find(option) else { return nil }
        guard case .share(let share) = found else { preconditionFailure("\(self): \(found) is no share") }
        return share
    }

    package func word(_ option: String? = nil) -> String? {
        guard let found = find(option) else { return nil }
        guard case .word(let word) = found else { preconditionFailure("\(self): \(found) is no word") }
        return word
    }

    package func text(_ option: String) -> String? {
        guard let found = find(option) else { return nil }
        guard case .text(let text) = found else { preconditionFailure("\(self): \(found) is no text") }
        return text
    }

    package func times(_ option: String? = nil) -> Distribution? {
        guard let found = find(option) else { return nil }
        guard case .times(let times) = found else { preconditionFailure("\(self): \(found) are no times") }
        return times
    }

    package func code(_ option: String? = nil) -> UInt32? {
        guard let found = find(option) else { return nil }
        guard case .code(let code) = found else { preconditionFailure("\(self): \(found) is no code") }
        return code
    }

    private func find(_ option: String?) -> FaultValue? {
        guard let option else { return value }
        return options[option]
    }
}

/// `NAME` or `NAME=VALUE`.
struct FaultPart {
    var name: String
    var value: String?

    init(_ text: some StringProtocol) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(parts.first ?? "")
        value = parts.count > 1 ? String(parts[1]) : nil
    }

    func read(as syntax: FaultSyntax, of knob: FaultKnob) throws(FaultError) -> FaultValue {
        guard let read = syntax.read(value ?? "") else {
            throw .value(knob: knob, option: name, value ?? "nothing", allowed: syntax.allowed)
        }
        return read
    }
}

extension FaultScope {
    fileprivate mutating func take(_ part: FaultPart, of form: FaultForm) throws(FaultError) {
        switch part.name {
        case "share":
            if case .share(let value) = try part.read(as: .share, of: form.knob) { share = value }
        case "after": after = UInt64(try Self.count(part, from: 0, of: form))
        case "every": every = UInt64(try Self.count(part, from: 1, of: form))
        case "from": from = try Self.time(part, of: form)
        case "until": until = try Self.time(part, of: form)
        default:
            if case .word(let host) = try part.read(as: .word(form.hosts), of: form.knob) { lane = host }
        }
    }

    private static func count(_ part: FaultPart, from least: Int64, of form: FaultForm) throws(FaultError) -> Int64 {
        guard case .number(let count) = try part.read(as: .number(least...1_000_000_000_000), of: form.knob) else {
            preconditionFailure("a number was read as none")
        }
        return count
    }

    private static func time(_ part: FaultPart, of form: FaultForm) throws(FaultError) -> Int64 {
        guard case .time(let time) = try part.read(as: .time(0...Nanoseconds.day * 30), of: form.knob) else {
            preconditionFailure("a time was read as none")
        }
        return time
    }
}
