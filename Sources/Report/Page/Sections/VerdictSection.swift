import Histogram
import Sending

/// The top of the page: what was run, whether it may be believed, and its figures.
struct VerdictSection {
    let data: PageData

    private var record: RunRecord { data.record }

    func write(to text: ResultText) {
        text.append(
            "<header><h1>\(HTMLText.escape(record.name))</h1><p class=\"dim\">\(HTMLText.escape(subtitle))</p></header>\n"
        )
        text.append("<section id=\"verdict\" class=\"\(style)\">")
        text.append("<h2>\(record.verdict.word)</h2><p>\(HTMLText.escape(judgement, limit: 400))</p>\n")
        if let missing = record.missingRemark {
            text.append("<p><strong>MISSING</strong>: \(HTMLText.escape(missing))</p>\n")
        }
        if !record.verdict.causes.isEmpty {
            let causes = record.verdict.causes.map { "<li>\(HTMLText.escape($0.sentence, limit: 400))</li>" }
            text.append("<ul>\(causes.joined(separator: "\n"))</ul>\n")
        }
        if let early = record.earlyEnd {
            let sentence = early.prefix(1).uppercased() + early.dropFirst()
            text.append("<p>\(HTMLText.escape(sentence, limit: 600)).</p>\n")
        }
        if let shards = record.shardRemark {
            text.append("<p>\(HTMLText.escape(shards.prefix(1).uppercased() + shards.dropFirst())).</p>\n")
        }
        if let retries = record.retries { text.append("<p>\(HTMLText.escape(retries)).</p>\n") }
        text.append("</section>\n<dl class=\"figures\">\(figures.map(\.html).joined())</dl>\n")
        text.append("<p class=\"lede\">\(HTMLText.escape(ProfileSentence(data).text, limit: 1_500))</p>\n")
    }

    /// Green only where there is nothing to look into.
    private var style: String {
        guard record.verdict.isValid else { return "bad" }
        return record.failedThresholds == 0 ? "good" : "warn"
    }

    private var subtitle: String {
        // To the second: the rest is for programs.
        let time = record.startedAt.description
        return "\(time.prefix(10)) \(time.dropFirst(11).prefix(8)) UTC · \(record.environment.hosts)"
            + " · seed \(record.seed)"
    }

    private var judgement: String {
        guard record.verdict.isValid else {
            return "These numbers can't be believed: don't quote them."
        }
        let failed = record.failedThresholds
        let all = record.thresholds.count
        if all == 0 { return "The generator kept up with its plan, so the numbers may be believed." }
        return failed == 0
            ? "The numbers may be believed, and \(all == 1 ? "the threshold holds" : "all \(all) thresholds hold")."
            : "The numbers may be believed, but \(failed) of \(all) thresholds \(failed == 1 ? "is" : "are") broken."
    }

    private struct Item {
        var name: String
        var value: String
        var note: String

        var html: String {
            "<div><dt>\(HTMLText.escape(name))</dt><dd>\(HTMLText.escape(value))<small>\(HTMLText.escape(note))</small></dd></div>"
        }
    }

    private var figures: [Item] {
        let all = data.measured
        var items = [
            Item(
                name: "sent",
                value: HumanUnits.percent(all.sent, of: all.counts.planned),
                note: "\(HumanUnits.count(all.sent)) of \(HumanUnits.count(all.counts.planned))"
            ),
            Item(
                name: "answered",
                value: HumanUnits.perSecond(all.counts.answered, in: all.duration) + "/s",
                note: HumanUnits.count(all.counts.answered)
            ),
            Item(
                name: "delivered",
                value: HumanUnits.percent(all.counts.delivered, of: all.counts.planned),
                note: HumanUnits.count(all.counts.delivered)
            ),
        ]
        for (name, times) in [
            ("response p99", all.clocks.response), ("service p99", all.clocks.service), ("lag p99", all.clocks.lag),
        ]
        where !times.isEmpty {
            let (p50, p99) = (times.value(atQuantile: 0.5), times.value(atQuantile: 0.99))
            items.append(Item(name: name, value: HumanUnits.time(p99), note: "p50 \(HumanUnits.time(p50))"))
        }
        let sent = record.lanes.flatMap(\.phases).reduce(0) { $0 + $1.streamWait.values.count }
        if sent > 0 {
            let used = record.generator.cpu
            let share = HumanUnits.percent(UInt64(max(0, used)), of: UInt64(max(1, record.duration)), digits: 0)
            let perPush = HumanUnits.time(used / Int64(clamping: sent))
            items.append(Item(name: "CPU per push", value: perPush, note: "\(share) of a core"))
        }
        return items
    }
}
