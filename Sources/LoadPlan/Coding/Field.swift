/// A value in a profile's tree together with its path, so that every complaint can name it.
struct Field {
    let node: JSONNode
    /// `load.phases[1].rate`; empty for the whole profile.
    let path: String
    let file: String

    /// The error for this field.
    func error(_ problem: ProfileError.Problem) -> ProfileError {
        switch node.origin {
        case .line(let line): ProfileError(file: file, line: line, path: path, problem: problem)
        case .override: ProfileError(file: "--set", line: nil, path: path, problem: problem)
        case .program: ProfileError(file: file, line: nil, path: path, problem: problem)
        }
    }

    /// The error for a value that is not what `allowed` describes.
    func wrong(allowed: String) -> ProfileError {
        let text = JSONWriter.compact(node)
        let shown = text.count <= 40 ? text : text.prefix(37) + "..."
        return error(.value(shown, allowed: allowed))
    }
}

// MARK: - Simple values

extension Field {
    /// A whole number, written as a number or, with `_` and `k` or `M`, in a string.
    func whole<Number: FixedWidthInteger>(in range: ClosedRange<Number>) throws(ProfileError) -> Number {
        let number: Number? =
            switch node.value {
            case .number(let text): Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
            case .string(let text): Quantity.whole(text).flatMap { Number(exactly: $0) }
            default: nil
            }
        guard let number, range.contains(number) else {
            throw wrong(allowed: "a whole number from \(grouped(range.lowerBound)) to \(grouped(range.upperBound))")
        }
        return number
    }

    /// A share: a number from 0 to 1.
    func share() throws(ProfileError) -> Double {
        guard case .number(let text) = node.value, let number = Double(text), (0...1).contains(number) else {
            throw wrong(allowed: "a share from 0 to 1")
        }
        return number
    }

    /// A time in nanoseconds, written as a string with a unit.
    func duration(in range: ClosedRange<Int64>) throws(ProfileError) -> Int64 {
        guard case .string(let text) = node.value, let duration = Quantity.duration(text), range.contains(duration)
        else {
            let ends = "\(Quantity.text(duration: range.lowerBound)) to \(Quantity.text(duration: range.upperBound))"
            throw wrong(allowed: "a time such as \"250ms\", \"5s\" or \"10m\", from \(ends)")
        }
        return duration
    }

    /// A rate, at most ``Rate/highest``.
    func rate(orZero: Bool = false) throws(ProfileError) -> Rate {
        guard case .string(let text) = node.value, let rate = Quantity.rate(text), rate.isUsable,
            orZero || rate.pushes > 0
        else {
            let bounds = orZero ? "at most" : "above zero and at most"
            throw wrong(allowed: "a rate such as \"10000/s\" or \"600k/min\", \(bounds) \(Quantity.text(Rate.highest))")
        }
        return rate
    }

    /// A text of 1 to `longest` bytes.
    func text(longest: Int = 200) throws(ProfileError) -> String {
        guard case .string(let text) = node.value, (1...longest).contains(text.utf8.count) else {
            throw wrong(allowed: "a text of 1 to \(longest) bytes")
        }
        return text
    }

    func flag() throws(ProfileError) -> Bool {
        guard case .bool(let flag) = node.value else { throw wrong(allowed: "true or false") }
        return flag
    }

    /// One of a few words.
    func word<Word: RawRepresentable & CaseIterable>(_: Word.Type) throws(ProfileError) -> Word
    where Word.RawValue == String {
        try word(of: Word.allCases.map(\.rawValue), make: Word.init(rawValue:))
    }

    func word(of words: [String]) throws(ProfileError) -> String { try word(of: words) { $0 } }

    private func word<Word>(of words: [String], make: (String) -> Word?) throws(ProfileError) -> Word {
        guard case .string(let text) = node.value, words.contains(text), let word = make(text) else {
            throw wrong(allowed: words.map { "\"\($0)\"" }.joined(separator: ", "))
        }
        return word
    }
}

// MARK: - Lists and objects

extension Field {
    /// The elements of a list of 1 to `most` of them.
    func elements(atMost most: Int) throws(ProfileError) -> [Field] {
        guard case .array(let nodes) = node.value, (1...most).contains(nodes.count) else {
            throw wrong(allowed: "a list of 1 to \(grouped(most)) elements")
        }
        return nodes.enumerated().map { Field(node: $1, path: "\(path)[\($0)]", file: file) }
    }

    /// The members of an object that has no other keys than these.
    func object(keys: [String]) throws(ProfileError) -> ObjectReader { try ObjectReader(self, keys: keys) }
}

/// The members of one object, all of them known.
struct ObjectReader {
    let field: Field
    private let keys: [String]
    private let members: [JSONNode.Member]

    fileprivate init(_ field: Field, keys: [String]) throws(ProfileError) {
        guard case .object(let members) = field.node.value else {
            throw field.wrong(allowed: "an object with keys of \(keys.joined(separator: ", "))")
        }
        self.field = field
        self.keys = keys
        self.members = members
        for member in members where !keys.contains(member.name) {
            let nearest = EditDistance.nearest(to: member.name, in: keys)
            throw child(member).error(.unknownKey(nearest: nearest, known: keys))
        }
    }

    /// The member with a name; `nil` when it is absent or null, which both mean "as by default".
    subscript(_ name: String) -> Field? {
        precondition(keys.contains(name), "ObjectReader: \"\(name)\" is read but not among the keys")
        guard let member = members.first(where: { $0.name == name }), !member.node.isNull else { return nil }
        return child(member)
    }

    /// The members that are there, in the order of the keys.
    var present: [(name: String, field: Field)] {
        keys.compactMap { key in self[key].map { (key, $0) } }
    }

    private func child(_ member: JSONNode.Member) -> Field {
        let path = field.path.isEmpty ? member.name : field.path + "." + member.name
        return Field(node: member.node, path: path, file: field.file)
    }
}

/// A whole number with commas between its thousands.
func grouped(_ number: some FixedWidthInteger) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text += "," }
        text.append(digit)
    }
    return number < 0 ? "-" + text : text
}
