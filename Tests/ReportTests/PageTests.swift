import Foundation
import LoadPlan
import Sending
import Testing

@testable import Report

@Suite("Report page")
struct PageTests {
    static func html(_ run: RunMeasurement, thresholds: String = "{}") -> String {
        ResultText.collect { ResultFile.page.write(record(run, thresholds: thresholds), to: $0) }
    }

    static func record(_ run: RunMeasurement, thresholds: String = "{}") -> RunRecord {
        var profile = SampleRun.profile
        profile.summary = "Tries <everything> & more."
        profile.thresholds = (try? Profile(json: "{thresholds: \(thresholds)}", file: "p.json").thresholds) ?? []
        var record = SampleRun.record(run, profile: profile)
        if run.connections.contains(where: { $0.goAwayCode == 11 }) { record.name = SampleRun.hostileText }
        return record
    }

    @Test("Verdict and causes come first, then figures, profile, tables and pictures")
    func order() throws {
        var run = SampleRun.faulty
        run.generator.longestStall = SampleRun.second
        let html = Self.html(run, thresholds: "{'all.response': ['p(99) < 1ms']}")
        let marks = [
            "<h2>INVALID</h2>", "above the bound of 250 ms", "<dl class=\"figures\">",
            "Tries &lt;everything&gt; &amp; more.",
            "id=\"thresholds\"", "id=\"lanes\"", "id=\"outcomes\"", "id=\"pictures\"",
            "id=\"percentiles-apns-production\"",
            "id=\"latency\"", "id=\"heat\"", "id=\"rate\"", "id=\"queue\"", "id=\"errors\"", "id=\"connections\"",
            "id=\"credentials\"", "<footer>",
        ]
        let places = marks.map { html.range(of: $0)?.lowerBound }
        #expect(!places.contains(nil), "\(zip(marks, places).filter { $0.1 == nil }.map(\.0))")
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    }

    @Test("Nothing is fetched, and nothing that a host or a profile said becomes markup")
    func selfContained() {
        let html = Self.html(SampleRun.faulty)
        for word in ["http:", "https:", "@import", "url(", "<img", "<link rel=\"stylesheet", "src="] {
            #expect(!html.replacing("&lt;img src=x", with: "").contains(word), "\(word)")
        }
        #expect(html.ranges(of: "<script>").count == 1 && html.ranges(of: "</script>").count == 1)
        #expect(html.contains("&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;"))
        #expect(!html.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B })
    }

    @Test("Every picture has a text alternative, marks, places that show values, and a table")
    func pictures() throws {
        let html = Self.html(SampleRun.faulty)
        let figures = html.components(separatedBy: "<figure ").dropFirst()
            .map { String($0.prefix(upTo: $0.range(of: "</figure>")?.lowerBound ?? $0.endIndex)) }
        #expect(figures.count == 9)
        for figure in figures {
            let name = figure.prefix(30)
            #expect(figure.contains(" role=\"img\" aria-label=\"") && figure.contains("<figcaption><h3>"), "\(name)")
            #expect(figure.contains("class=\"mark") && figure.contains("<g class=\"hit\"><title>"), "\(name)")
            #expect(
                figure.contains("<details><summary>Numbers</summary>") && figure.contains("<tbody>\n<tr>"),
                "\(name)"
            )
            #expect(!figure.contains("nan") && !figure.contains("inf\""), "\(name)")
        }
    }

    @Test("Retries are told, where there were any")
    func retries() {
        var run = SampleRun.healthy
        #expect(!Self.html(run).contains("sent again"))
        run.lanes[0].phases[1].counts.retries = 7
        #expect(Self.html(run).contains("<p>7 requests were refused unseen and sent again.</p>"))
    }

    @Test("New tokens are marked in time, and only where there were any after the first")
    func tokens() throws {
        var run = SampleRun.healthy
        run.credentials[0].tokensAt = [-200_000_000]
        #expect(!Self.html(run).contains("id=\"tokens\""))
        run.credentials[0].tokensAt = [-200_000_000, 6 * SampleRun.second, 12_500_000_000]
        let html = Self.html(run)
        let figure = try #require(
            html.components(separatedBy: "<figure id=\"tokens\"").last?.components(separatedBy: "</figure>").first
        )
        #expect(
            figure.contains(
                "1 of 1 credential got a new token while the run went on, 2 times in all; the oldest token that a push was "
                    + "sent with was 18 s old."
            )
        )
        #expect(figure.ranges(of: "class=\"mark line b strong\"").count == 2)
        #expect(figure.contains("new tokens after 6 s, 12.5 s"))
        let times = figure.matches(of: /<td class="n">(-?[0-9.]+)<\/td><\/tr>/).map { String($0.1) }
        #expect(times.compactMap { Double($0) } == [-0.2, 6, 12.5])
        let csv = ResultText.collect { ResultFile.credentials.write(Self.record(run), to: $0) }.split(separator: "\n")
        #expect(csv[1].split(separator: ",").last == "-0.200000 6.000000 12.500000")
    }

    @Test("Runs of nothing have a page without pictures", arguments: [SampleRun.empty, SampleRun.idle])
    func nothing(run: RunMeasurement) {
        let html = Self.html(run)
        #expect(html.contains("<h2>VALID</h2>") && !html.contains("<figure") && html.hasSuffix("</html>\n"))
    }

    @Test("A healthy run shows no picture of errors that are not there")
    func noErrors() {
        var run = SampleRun.healthy
        for lane in run.lanes.indices {
            for second in run.lanes[lane].timeline.indices {
                run.lanes[lane].timeline[second].delivered += run.lanes[lane].timeline[second].rejected
                run.lanes[lane].timeline[second].rejected = 0
            }
        }
        #expect(!Self.html(run).contains("id=\"errors\""))
    }

    @Test("Four hours with 5,000 connections stays small, and says what it leaves out")
    func long() throws {
        let html = Self.html(SampleRun.long)
        #expect(html.utf8.count < 400_000)
        let rate = try #require(
            html.components(separatedBy: "id=\"rate\"").last?.components(separatedBy: "</figure>").first
        )
        #expect((60...120).contains(rate.ranges(of: "<g class=\"hit\">").count))
        #expect(html.contains("5,000 connections were opened, 0 got GOAWAY, 50 ended before the run did"))
        #expect(html.contains("Shown are 120; all stand in connections.csv."))
        // Those that ended early are among the shown.
        #expect(html.ranges(of: "closed by peer</title>").count == 50)
    }

    @Test("A record of a profile that can't be read any more has a page all the same")
    func otherSchema() throws {
        var record = SampleRun.record(SampleRun.healthy)
        record.profile = try ProfileText(json: #"{"load": {"waves": 3}}"#)
        let html = ResultText.collect { ResultFile.page.write(record, to: $0) }
        #expect(
            html.contains(
                "18,000 pushes were planned for 1,000,000 devices: 3 s of warm-up (not counted) and 15 s of steady."
            )
        )
    }
}

@Suite("Drawing")
struct DrawingTests {
    @Test("Numbers have at most one decimal")
    func numbers() {
        let cases: [(Double, String)] = [
            (0, "0"), (1.04, "1"), (1.05, "1.1"), (-0.04, "0"), (-2.55, "-2.6"), (400, "400"),
        ]
        for (value, text) in cases { #expect(SVGDrawing.number(value) == text) }
    }

    @Test(
        "Linear axes end at a round number above everything, with a few whole ticks",
        arguments: [
            (0, "0 1"), (1, "0 1"), (3, "0 1 2 3"), (7, "0 2 4 6 8"), (95, "0 20 40 60 80 100"),
            (1_000, "0 200 400 600 800 1,000"),
            (1_001, "0 500 1,000 1,500"), (23_456, "0 5,000 10,000 15,000 20,000 25,000"),
            (230_000, "0 50k 100k 150k 200k 250k"), (1_600_000, "0 500k 1M 1.5M 2M"), (7_000_000, "0 2M 4M 6M 8M"),
        ]
    )
    func linear(highest: Double, labels: String) {
        let scale = LinearScale(upTo: highest)
        #expect(scale.ticks.map(\.label).joined(separator: " ") == labels)
        #expect(scale.top >= highest && scale.ticks.last?.position == 1)
    }

    @Test("Time axes span what there is between round times")
    func times() throws {
        let scale = try #require(TimeScale(from: 21_000_000, to: 31_000_000))
        #expect(scale.ticks.map(\.label) == ["20 ms", "50 ms"])
        #expect(scale.position(20_000_000) == 0 && scale.position(50_000_000) == 1 && scale.position(9) == 0)
        let wide = try #require(TimeScale(from: 900, to: 5_000_000_000))
        #expect(wide.ticks.map(\.label) == ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"])
        #expect(TimeScale(from: 0, to: 0) == nil)
        #expect(TimeScale(from: 20_000_000, to: 20_000_000)?.ticks.map(\.label) == ["20 ms", "50 ms"])
    }

    @Test("Each nine takes the same room on the tail's axis")
    func tail() {
        let tail = TailScale(count: 10_000)
        let nines = [0.9, 0.99, 0.999].map { tail.position(quantile: $0) }
        for (index, position) in nines.enumerated() { #expect(abs(position - Double(index + 1) / 4) < 1e-9) }
        #expect(tail.position(beyond: 0, of: 10_000) == 1)
        #expect(abs(tail.position(beyond: 100, of: 10_000) - 0.5) < 1e-9)
        #expect(tail.ticks.map(\.label) == ["0", "50%", "90%", "99%", "99.9%"])
        #expect(TailScale(count: 0).ticks.map(\.label) == ["0", "50%"])
    }

    @Test("Labels that would overlap move apart and stay in the picture")
    func labels() {
        let frame = ChartFrame()
        var drawing = SVGDrawing()
        let bottom = frame.bottom
        EndLabel.draw(
            [("a", bottom), ("b", bottom - 1), ("c", 50)].map { EndLabel(text: $0.0, y: $0.1, style: "s") },
            in: frame,
            &drawing
        )
        let heights = drawing.body.matches(of: /y="([0-9.]+)"/).compactMap { Double($0.1) }
        #expect(heights == [54, bottom - 13 + 4, bottom + 4])
    }

    @Test("A tick whose label would touch the one before has none")
    func tickLabels() {
        // 400 wide: the labels take 7.4 a character, and the first begins at its tick.
        let frame = ChartFrame(height: 118, left: 0, right: 400, top: 0, below: 18)
        let ticks: [(Double, String)] = [(0, "0 s"), (0.1, "50%"), (0.5, "99.99%"), (0.55, "99.999%"), (0.7, "end")]
        var drawing = SVGDrawing()
        frame.drawBottomTicks(ticks.map { Tick(position: $0.0, label: $0.1) }, in: &drawing)
        #expect(drawing.body.matches(of: /class="axis"/).count == ticks.count)
        #expect(drawing.body.matches(of: />([^<]+)<\/text>/).map { String($0.1) } == ["0 s", "50%", "99.99%", "end"])
    }

    @Test("A line of steps breaks where nothing was measured, and its area follows it")
    func steps() {
        let frame = ChartFrame(height: 118, left: 0, right: 100, top: 0, below: 18)
        let line = StepLine(
            steps: [
                .init(start: 0, end: 10, position: 0.5), .init(start: 10, end: 20, position: 1),
                .init(start: 20, end: 30, position: nil), .init(start: 30, end: 40, position: 0),
            ]
        )
        #expect(line.path(in: frame).data == "M0 50H10L10 0H20M30 100H40")
        #expect(line.area(in: frame).data == "M0 100L0 50H10L10 0H20L20 100H10L10 100H0ZM30 100L30 100H40L40 100H30Z")
        #expect(line.lastY(in: frame) == 100)
    }

    @Test("Markup and control characters become text")
    func escaping() {
        #expect(HTMLText.escape("a<b & \"c\" 'd'>") == "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;")
        #expect(HTMLText.escape("x\u{202E}y\nz") == "x\u{FFFD}y\u{FFFD}z")
        #expect(HTMLText.escape("plain ü") == "plain ü")
    }
}
