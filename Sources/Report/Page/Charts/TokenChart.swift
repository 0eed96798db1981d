import Histogram
import Sending

/// Credentials as lines in time, with a mark at every new token.
enum TokenChart {
    /// More rows are not told apart.
    private static let most = 24
    private static let row = 28.0

    /// Nil where no token was renewed while the run went on: there is nothing to see then.
    static func figure(_ data: PageData) -> Figure? {
        let renewed = data.record.credentials.filter { !$0.renewals.isEmpty }
        guard !renewed.isEmpty else { return nil }
        return Figure(
            id: "tokens",
            title: "Token refreshes",
            sentence: sentence(renewed, of: data.record),
            svg: svg(data, Array(renewed.prefix(most))),
            table: table(renewed)
        )
    }

    private static func sentence(_ renewed: [CredentialMeasurement], of record: RunRecord) -> String {
        let count = renewed.reduce(0) { $0 + $1.renewals.count }
        let oldest = record.credentials.map(\.oldestUsed).max() ?? 0
        let rest = renewed.count > most ? " Shown are \(most); all stand in \(ResultFile.credentials.name)." : ""
        return "\(renewed.count) of \(record.credentials.count) "
            + (record.credentials.count == 1 ? "credential" : "credentials")
            + " got a new token while the run went on, "
            + (count == 1 ? "once" : "\(HumanUnits.count(UInt64(count))) times in all")
            + "; the oldest token that a push was sent with was \(HumanUnits.duration(oldest)) old." + rest
    }

    private static func svg(_ data: PageData, _ uses: [CredentialMeasurement]) -> String {
        let frame = ChartFrame(height: 18 + Double(uses.count) * row + 26, left: 12, right: 388)
        let time = data.timeline.scale
        var drawing = SVGDrawing()
        data.timeline.drawFrame(frame, in: &drawing)
        drawing.line(from: (frame.left, frame.bottom), to: (frame.right, frame.bottom), class: "axis")
        for (index, use) in uses.enumerated() {
            let top = frame.top + Double(index) * row
            let y = top + row - 8
            drawing.text(use.label, frame.left + 4, top + 12, class: "tick")
            drawing.line(from: (frame.x(0), y), to: (frame.right, y), class: "mark life")
            for renewal in use.renewals {
                drawing.path(.tick(frame.x(time.position(Double(renewal) / 1e9)), y), class: "mark line b strong")
            }
            drawing.hit(frame.left, top, frame.right - frame.left, row, words(on: use))
        }
        return frame.svg(drawing, label: "New tokens over time. " + sentence(uses, of: data.record))
    }

    private static func words(on use: CredentialMeasurement) -> [String] {
        // As many as fit beside the pointer.
        let shown = use.renewals.prefix(8).map { HumanUnits.duration($0) }.joined(separator: ", ")
        return [
            use.label,
            "new tokens after \(shown)\(use.renewals.count > 8 ? " and later" : "")",
            "signing p50 \(HumanUnits.time(use.signP50)), max \(HumanUnits.time(use.signMax))",
        ]
    }

    private static func table(_ uses: [CredentialMeasurement]) -> HTMLTable {
        var table = HTMLTable(
            "New tokens by time",
            [.text("lane"), .text("credential"), .number("token"), .number("at s")]
        )
        for use in uses {
            for (index, time) in (use.tokensAt ?? []).enumerated() {
                table.add([
                    .init(use.lane), .init(use.credential), .init("\(index + 1)"),
                    .init("\(FixedDecimal.seconds(time))"),
                ])
            }
        }
        return table
    }
}

extension CredentialMeasurement {
    /// When a new token took an older one's place, in nanoseconds from the run's start.
    fileprivate var renewals: [Int64] { Array((tokensAt ?? []).dropFirst()) }

    fileprivate var label: String {
        let shard = shard.map { "shard \($0), " } ?? ""
        return shard + HumanUnits.line("\(lane): \(credential)", limit: 44)
    }
}

extension SVGPath {
    fileprivate static func tick(_ x: Double, _ y: Double) -> SVGPath {
        var path = SVGPath()
        path.move(x, y - 6)
        path.line(x, y + 6)
        return path
    }
}
