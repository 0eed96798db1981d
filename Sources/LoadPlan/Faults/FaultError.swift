/// Why a text is no fault.
package enum FaultError: Error, Sendable, Equatable, CustomStringConvertible {
    case unknown(String)
    case needsValue(knob: FaultKnob, allowed: String)
    case noValue(knob: FaultKnob)
    /// `option` is nil for the fault's own value.
    case value(knob: FaultKnob, option: String?, String, allowed: String)
    case unknownOption(knob: FaultKnob, String, known: [String])
    case needsOption(knob: FaultKnob, String)
    case twice(knob: FaultKnob, option: String)
    /// A window of time that is empty.
    case window(knob: FaultKnob)

    /// One line, with the nearest known name.
    package var description: String {
        switch self {
        case .unknown(let name):
            let names = FaultKnob.allCases.map(\.rawValue)
            let hint = EditDistance.nearest(to: name, in: names).map { "did you mean \($0)?" }
            return "\(name) is no known fault; \(hint ?? "known: \(names.joined(separator: ", "))")"
        case .needsValue(let knob, let allowed): return "\(knob.rawValue) needs a value: \(allowed)"
        case .noValue(let knob): return "\(knob.rawValue) takes no value, only options after a comma"
        case .value(let knob, let option, let text, let allowed):
            return "\(knob.rawValue)\(option.map { ": " + $0 } ?? "") is \(text); allowed: \(allowed)"
        case .unknownOption(let knob, let name, let known):
            let hint = EditDistance.nearest(to: name, in: known).map { "did you mean \($0)?" }
            let all = known.isEmpty ? "it takes none" : "it has: " + known.joined(separator: ", ")
            return "\(knob.rawValue) has no option \(name); \(hint ?? all)"
        case .needsOption(let knob, let option): return "\(knob.rawValue) needs the option \(option)"
        case .twice(let knob, let option): return "\(knob.rawValue) has the option \(option) twice"
        case .window(let knob): return "\(knob.rawValue) has until before from; allowed: from before until"
        }
    }
}
