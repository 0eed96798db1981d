import Histogram
import Sending

/// Connections as lines from opening to closing, with what their peers said.
enum Lifelines {
    /// More than that many are too thin to be told apart.
    private static let most = 120

    static func figure(_ data: PageData) -> Figure? {
        guard !data.record.connections.isEmpty else { return nil }
        let shown = shown(data.record)
        return Figure(
            id: "connections",
            title: "Connections",
            sentence: sentence(data.record, shown: shown.count),
            svg: svg(data, shown),
            table: table(shown, ofShards: data.record.shards != nil)
        )
    }

    /// All, or those that have something to tell first; in the order of lanes, and in them of shards, workers and numbers.
    private static func shown(_ record: RunRecord) -> [ConnectionMeasurement] {
        let lanes = record.connections.map(\.lane).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        // A merged record has them by shard first.
        let all = lanes.flatMap { lane in record.connections.filter { $0.lane == lane } }
        guard all.count > most else { return all }
        let telling = all.indices.filter { all[$0].isTelling }
        let silent = all.indices.filter { !all[$0].isTelling }
        return (telling + silent).prefix(most).sorted().map { all[$0] }
    }

    private static func sentence(_ record: RunRecord, shown: Int) -> String {
        let all = record.connections
        let goAways = all.count { $0.goAwayCode != nil }
        let early = all.count { $0.closedBy != "run end" }
        let moved = all.count { $0.limitMoved }
        let parts = [
            all.count == 1
                ? "1 connection was opened" : "\(HumanUnits.count(UInt64(all.count))) connections were opened",
            "\(HumanUnits.count(UInt64(goAways))) got GOAWAY",
            "\(HumanUnits.count(UInt64(early))) ended before the run did",
            "on \(HumanUnits.count(UInt64(moved))) the stream limit moved",
        ]
        let rest = all.count > shown ? " Shown are \(shown); all stand in \(ResultFile.connections.name)." : ""
        let marks = [(goAways, "◆ GOAWAY"), (early, "✕ ended early"), (moved, "▲ limit moved")]
            .filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
        return parts.joined(separator: ", ") + "." + (marks.isEmpty ? "" : " \(marks).") + rest
    }

    private static func svg(_ data: PageData, _ lives: [ConnectionMeasurement]) -> String {
        let row = lives.count <= 24 ? 12.0 : lives.count <= 60 ? 7.0 : 4.5
        let lanes = Set(lives.map(\.lane)).count
        let height = 18 + Double(lives.count) * row + Double(lanes - 1) * 8 + 26
        let frame = ChartFrame(height: height, left: 114, right: 392)
        let timeline = data.timeline
        var drawing = SVGDrawing()
        timeline.drawFrame(frame, in: &drawing)
        drawing.line(from: (frame.left, frame.bottom), to: (frame.right, frame.bottom), class: "axis")
        var y = frame.top
        var lane: String?
        for life in lives {
            if life.lane != lane {
                if lane != nil { y += 8 }
                drawing.text(HumanUnits.line(life.lane, limit: 16), frame.left - 6, y + 9, .end, class: "tick")
                lane = life.lane
            }
            draw(life, at: y + row / 2, row: row, timeline.scale, frame, in: &drawing)
            y += row
        }
        return frame.svg(drawing, label: "Lifelines of connections. " + sentence(data.record, shown: lives.count))
    }

    private static func draw(
        _ life: ConnectionMeasurement,
        at y: Double,
        row: Double,
        _ time: RunTimeScale,
        _ frame: ChartFrame,
        in drawing: inout SVGDrawing
    ) {
        let start = frame.x(time.position(Double(life.opened) / 1e9))
        let end = max(start + 1, frame.x(time.position(Double(life.closed) / 1e9)))
        drawing.line(from: (start, y), to: (end, y), class: "mark life\(life.endedEarly ? " bad" : "")")
        let size = min(4, row * 0.45)
        if life.limitMoved { drawing.path(.triangle(start + size, y, size), class: "mark limit") }
        if life.goAwayCode != nil {
            drawing.path(.diamond(end, y, size), class: "mark goaway")
        } else if life.endedEarly {
            drawing.path(.cross(end, y, size), class: "mark line bad")
        }
        drawing.hit(frame.left, y - row / 2, frame.right - frame.left, row, words(on: life))
    }

    private static func words(on life: ConnectionMeasurement) -> [String] {
        var lines = [
            "\(HumanUnits.line(life.lane))\(life.shard.map { ", shard \($0)" } ?? ""), worker \(life.worker), "
                + "connection \(life.connection)",
            "from \(FixedDecimal.seconds(life.opened)) s to \(FixedDecimal.seconds(life.closed)) s, handshake "
                + HumanUnits.time(life.handshake),
            "\(HumanUnits.count(life.streams)) streams, \(life.peakStreams) at once; peer's limit \(life.limits)",
        ]
        if let code = life.goAwayCode {
            let reason = life.goAwayReason.map { HumanUnits.line($0, limit: 80) } ?? ""
            lines.append("GOAWAY \(code) \(reason)")
        }
        lines.append("closed by \(HumanUnits.line(life.closedBy, limit: 80))")
        return lines
    }

    private static func table(_ lives: [ConnectionMeasurement], ofShards: Bool) -> HTMLTable {
        var table = HTMLTable(
            "Connections",
            [.text("lane", "lane")] + (ofShards ? [.number("shard", "shard")] : []) + [
                .number("worker", "worker"), .number("no.", "connection"),
                .number("opened s", "opened_s"),
                .number("closed s", "closed_s"), .number("streams", "streams"), .number("at once", "peak_streams"),
                .text("limit"), .number("GOAWAY", "goaway_code"), .text("reason", "goaway_reason"),
                .text("closed by", "closed_by"),
            ]
        )
        for life in lives {
            let (opened, closed) = (FixedDecimal.seconds(life.opened), FixedDecimal.seconds(life.closed))
            let shard = ofShards ? [HTMLTable.Cell(life.shard.map { "\($0)" } ?? "")] : []
            table.add(
                [.init(life.lane)] + shard + [
                    .init("\(life.worker)"), .init("\(life.connection)"), .init("\(opened)"),
                    .init("\(closed)"),
                    .init(HumanUnits.count(life.streams)), .init("\(life.peakStreams)"), .init(life.limits),
                    .init(life.goAwayCode.map { "\($0)" } ?? "–"), .init(life.goAwayReason ?? ""), .init(life.closedBy),
                ]
            )
        }
        return table
    }
}

extension ConnectionMeasurement {
    fileprivate var limitMoved: Bool { peerLimitMin != peerLimitMax }

    fileprivate var endedEarly: Bool { closedBy != "run end" }

    fileprivate var isTelling: Bool { limitMoved || endedEarly || goAwayCode != nil }

    fileprivate var limits: String {
        // 2^31 - 1 and above is how "no limit" is kept.
        func word(_ limit: Int) -> String { limit >= Int(Int32.max) ? "none" : HumanUnits.count(UInt64(max(0, limit))) }
        return limitMoved ? "\(word(peerLimitMin)) to \(word(peerLimitMax))" : word(peerLimitMax)
    }
}

extension SVGPath {
    fileprivate static func diamond(_ x: Double, _ y: Double, _ size: Double) -> SVGPath {
        polygon([(x, y - size), (x + size, y), (x, y + size), (x - size, y)])
    }

    fileprivate static func triangle(_ x: Double, _ y: Double, _ size: Double) -> SVGPath {
        polygon([(x - size, y + size), (x, y - size), (x + size, y + size)])
    }

    fileprivate static func cross(_ x: Double, _ y: Double, _ size: Double) -> SVGPath {
        var path = SVGPath()
        path.move(x - size, y - size)
        path.line(x + size, y + size)
        path.move(x - size, y + size)
        path.line(x + size, y - size)
        return path
    }

    private static func polygon(_ points: [(Double, Double)]) -> SVGPath {
        var path = SVGPath()
        path.move(points[0].0, points[0].1)
        for point in points.dropFirst() { path.line(point.0, point.1) }
        path.close()
        return path
    }
}
