extension Threshold {
    /// How much load is measured before a broken condition ends a run, where the profile does not say: the first answers of
    /// all say little.
    private static let standardGrace = 5 * Nanoseconds.second
    private static let longest = 1 * Nanoseconds.hour

    /// Reads the section: an object of lists, one for each subject.
    static func thresholds(_ field: Field) throws(ProfileError) -> [Threshold] {
        guard case .object(let members) = field.node.value else {
            throw field.wrong(allowed: "an object such as {\"all.response\": [\"p(99) < 250ms\"]}")
        }
        var thresholds: [Threshold] = []
        for member in members where !member.node.isNull {
            // As for `--set`: a name with a dot stands in brackets.
            let path = "\(field.path)[\"\(member.name)\"]"
            let field = Field(node: member.node, path: path, file: field.file)
            let subject = try ThresholdSubject(member.name, field)
            for element in try field.elements(atMost: 100) { thresholds.append(try Threshold(element, on: subject)) }
        }
        return thresholds.inOrder
    }

    private init(_ field: Field, on subject: ThresholdSubject) throws(ProfileError) {
        guard case .object = field.node.value else {
            self.init(subject: subject, condition: try ThresholdCondition(field, on: subject.metric))
            return
        }
        let metric = subject.metric
        let object = try field.object(
            keys: ["condition"] + (metric.hasWindows ? ["over"] : []) + (metric.isKnownLive ? ["abort", "grace"] : [])
        )
        let window = metric.hasWindows ? object["over"] : nil
        let length = try window?.duration(in: Nanoseconds.second...Self.longest)
        if let window, let length, length % Nanoseconds.second != 0 {
            throw window.wrong(allowed: "whole seconds, from 1s to 1h")
        }
        let abortAfter = metric.isKnownLive ? try Self.abortAfter(object["abort"], object["grace"]) : nil
        guard let condition = object["condition"] else { throw field.error(.rule("has no \"condition\"")) }
        self.init(
            subject: subject,
            condition: try ThresholdCondition(condition, on: subject.metric),
            over: length,
            abortAfter: abortAfter
        )
        if let window, case .count = self.condition.aggregate {
            throw window.error(.rule("has no meaning for a count"))
        }
    }

    private static func abortAfter(_ abort: Field?, _ grace: Field?) throws(ProfileError) -> Int64? {
        guard try abort?.flag() == true else {
            if let grace { throw grace.error(.rule("has no meaning without \"abort\": true")) }
            return nil
        }
        return try grace?.duration(in: 0...longest) ?? standardGrace
    }

    fileprivate var node: JSONNode {
        guard over != nil || abortAfter != nil else { return .string(condition.text) }
        return .object([
            "condition": .string(condition.text),
            "over": over.map { .string(Quantity.text(duration: $0)) },
            "abort": abortAfter.map { _ in .bool(true) },
            "grace": abortAfter.map { .string(Quantity.text(duration: $0)) },
        ])
    }
}

extension [Threshold] {
    /// By lane, metric and filter, so that a coder that forgets the order of keys changes nothing.
    fileprivate var inOrder: [Threshold] {
        // `sorted` is stable: the conditions of one subject stay as they were written.
        sorted { left, right in
            let (left, right) = (left.subject, right.subject)
            return (left.place, left.text) < (right.place, right.text)
        }
    }

    var node: JSONNode {
        var members: [JSONNode.Member] = []
        var rest = self[...]
        while let subject = rest.first?.subject {
            let same = rest.prefix { $0.subject == subject }
            members.append(.init(name: subject.text, node: .array(same.map(\.node))))
            rest = rest.dropFirst(same.count)
        }
        return JSONNode(.object(members))
    }
}

extension ThresholdSubject {
    /// Reads `fcm.outcomes{reason=X}`; complaints are about `field`.
    fileprivate init(_ name: String, _ field: Field) throws(ProfileError) {
        let lanes = [Self.all] + LaneName.all
        guard let dot = name.firstIndex(of: "."),
            let base = lanes.first(where: { $0 == LaneName.base(of: String(name[..<dot])) })
        else {
            let form = "LANE.METRIC such as \"fcm.response\""
            throw field.error(.rule("is not \(form); allowed as LANE: \(lanes.joined(separator: ", "))"))
        }
        let rest = name[name.index(after: dot)...]
        let word = String(rest.prefix { $0 != "{" })
        guard let metric = ThresholdMetric(rawValue: word) else {
            let known = ThresholdMetric.allCases.map(\.rawValue)
            let guess = EditDistance.nearest(to: word, in: known).map { " (did you mean \"\($0)\"?)" } ?? ""
            throw field.error(
                .rule("names the metric \"\(word)\"; allowed: \(known.joined(separator: ", "))\(guess)")
            )
        }
        // Whether the lane has such a tenant is known when the whole profile is.
        let lane = String(name[..<dot])
        guard metric.lanes.contains(base) else {
            throw field.error(
                .rule(
                    "asks for the \(word) of \(lane); allowed: \(metric.lanes.map { "\($0).\(word)" }.joined(separator: ", "))"
                )
            )
        }
        let filter = rest.dropFirst(word.count)
        self.init(lane: lane, metric: metric, filter: filter.isEmpty ? nil : try ThresholdFilter(filter, metric, field))
    }

    /// Where the subject stands among all.
    fileprivate var place: Int {
        let lane = ([Self.all] + LaneName.all).firstIndex(of: LaneName.base(of: lane)) ?? 0
        let metrics = ThresholdMetric.allCases
        return lane * metrics.count + (metrics.firstIndex(of: metric) ?? 0)
    }
}

extension ThresholdFilter {
    /// Reads `{reason=Unregistered}`.
    fileprivate init(_ text: Substring, _ metric: ThresholdMetric, _ field: Field) throws(ProfileError) {
        let parts = text.dropFirst().dropLast().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.last == "}", parts.count == 2, let key = Key(rawValue: String(parts[0])),
            metric.filterKeys.contains(key), (1...200).contains(parts[1].utf8.count), !parts[1].contains("}"),
            Self.isKnown(parts[1], for: key)
        else {
            let forms = metric.filterKeys.map { "{\($0.rawValue)=\(Self.form(of: $0))}" }.joined(separator: ", ")
            throw field.error(
                .rule(
                    metric.filterKeys.isEmpty
                        ? "has \"\(text)\", but \(metric.rawValue) has no parts to choose from"
                        : "has \"\(text)\"; allowed after \(metric.rawValue): \(forms)"
                )
            )
        }
        self.init(key, String(parts[1]))
    }

    private static func isKnown(_ value: Substring, for key: Key) -> Bool {
        switch key {
        case .reason: true
        case .status: value.utf8.count == 3 && (100...999).contains(Int(value) ?? 0)
        case .disposition: dispositions.contains(String(value))
        case .direction: value == "out" || value == "in"
        }
    }

    private static func form(of key: Key) -> String {
        switch key {
        case .reason: "Unregistered"
        case .status: "410"
        case .disposition: dispositions.joined(separator: "|")
        case .direction: "out|in"
        }
    }
}

extension ThresholdCondition {
    fileprivate init(_ field: Field, on metric: ThresholdMetric) throws(ProfileError) {
        guard case .string(let text) = field.node.value, let condition = ThresholdCondition(text, on: metric) else {
            let comparisons = "<, <=, >, >=, == or !="
            throw field.wrong(allowed: "\(metric.forms); compared by \(comparisons)")
        }
        self = condition
    }
}
