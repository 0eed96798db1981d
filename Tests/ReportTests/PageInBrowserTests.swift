import Foundation
import Sending
import Testing

@testable import Report

/// Opens pages in Chromium, where it is installed, and asks the browser what a reader would see.
@Suite("Report page in a browser", .enabled(if: Chromium.path != nil), .serialized)
struct PageInBrowserTests {
    /// What the browser found.
    private struct Findings: Decodable {
        struct Picture: Decodable {
            let id: String
            let marks: Int
            let textsOutside: [String]
            let tip: String
        }

        let pictures: [Picture]
        let pageWidth: Double
        let windowWidth: Double
        let background: String
        /// Texts of cells by table, row and column; with the exact numbers behind them.
        let tables: [String: Table]
    }

    private struct Table: Decodable {
        let columns: [String]
        let rows: [[Cell]]
    }

    private struct Cell: Decodable {
        let text: String
        let exact: String?
    }

    /// Measures the page in a frame as wide as a device, for a browser's window has a least width.
    private static let probe = """
        const frame = document.querySelector('iframe');
        frame.addEventListener('load', () => {
          const page = frame.contentDocument, view = frame.contentWindow;
          const pictures = [...page.querySelectorAll('figure')].map(figure => {
            const box = figure.getBoundingClientRect();
            const marks = [...figure.querySelectorAll('.mark')].filter(mark => {
              const size = mark.getBBox();
              return size.width + size.height > 0 && mark.getBoundingClientRect().right <= box.right + 1;
            });
            const outside = [...figure.querySelectorAll('text')].filter(text => {
              const place = text.getBoundingClientRect();
              return place.left < box.left || place.right > box.right || place.width === 0;
            });
            const hit = figure.querySelector('.hit rect');
            hit.dispatchEvent(new view.PointerEvent('pointermove', {bubbles: true, clientX: 20, clientY: 20}));
            const tip = page.getElementById('tip');
            return {id: figure.id, marks: marks.length, textsOutside: outside.map(text => text.textContent),
              tip: tip.hidden ? '' : tip.textContent};
          });
          const tables = {};
          for (const table of page.querySelectorAll('table')) {
            const head = [...table.querySelectorAll('thead tr:last-child th')];
            tables[table.closest('[id]').id] = {
              columns: head.map(cell => cell.dataset.column || ''),
              rows: [...table.querySelectorAll('tbody tr')].map(row => [...row.children].map(cell =>
                ({text: cell.textContent, exact: cell.dataset.exact || null}))),
            };
          }
          const result = {pictures, tables, pageWidth: page.documentElement.scrollWidth, windowWidth: view.innerWidth,
            background: view.getComputedStyle(page.body).backgroundColor};
          const output = document.createElement('pre');
          output.id = 'findings';
          output.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(result))));
          document.body.append(output);
        });
        frame.srcdoc = new TextDecoder().decode(Uint8Array.from(atob(source), c => c.charCodeAt(0)));
        """

    private func look(at html: String, width: Int, dark: Bool) throws -> Findings {
        let source = Data(html.utf8).base64EncodedString()
        let shell = """
            <!DOCTYPE html><link rel="icon" href="data:,"><body><iframe style="border:0;width:\(width)px;height:900px"></iframe>
            <script>const source = '\(source)';\(Self.probe)</script>
            """
        let visit = try Chromium.visit(shell, dark: dark)
        #expect(visit.console.isEmpty)
        let parts = visit.document.components(separatedBy: "<pre id=\"findings\">")
        let coded = try #require(parts.last?.components(separatedBy: "</pre>").first, "the probe found nothing")
        let json = try #require(Data(base64Encoded: coded), "the probe left no findings")
        return try JSONDecoder().decode(Findings.self, from: json)
    }

    private static var invalid: RunMeasurement {
        var run = SampleRun.faulty
        run.generator.longestStall = SampleRun.second
        return run
    }

    @Test(
        "On a wide screen and on a phone, light and dark, there is something to see and nothing sticks out",
        arguments: [
            (1280, false), (360, true), (360, false), (1280, true),
        ]
    )
    func looks(width: Int, dark: Bool) throws {
        let runs = width == 360 ? [("healthy", SampleRun.healthy, 8)] : [("invalid", Self.invalid, 9)]
        for (name, run, pictures) in runs {
            let found = try look(at: PageTests.html(run), width: width, dark: dark)
            #expect(found.pictures.count == pictures, "\(name)")
            for picture in found.pictures {
                #expect(
                    picture.marks > 0 && picture.textsOutside.isEmpty,
                    "\(name) \(picture.id): \(picture.textsOutside)"
                )
                #expect(picture.tip.contains("\n"), "\(name) \(picture.id) shows no values: \(picture.tip)")
            }
            #expect(found.pageWidth <= Double(width) && found.windowWidth == Double(width), "\(name)")
            #expect(found.background == (dark ? "rgb(18, 19, 21)" : "rgb(245, 245, 242)"))
        }
    }

    @Test(
        "Several runs lie over one another, and the table has each one's numbers",
        arguments: [(1280, false), (360, true)]
    )
    func overlay(width: Int, dark: Bool) throws {
        let runs = [SampleRun.healthy, Self.invalid, SampleRun.faulty].map { PageTests.record($0) }
        let html = ResultText.collect { text in
            OverlayPage.write(runs.enumerated().map { ("Results/\($0)", $1) }, to: text)
        }
        let found = try look(at: html, width: width, dark: dark)
        #expect(
            found.pictures.map(\.id).sorted() == [
                "latency", "percentiles-apns-production", "percentiles-apns-sandbox", "percentiles-fcm", "rate",
            ]
        )
        for picture in found.pictures {
            #expect(picture.marks >= 2 && picture.textsOutside.isEmpty && picture.tip.contains("\n"), "\(picture)")
        }
        #expect(found.pageWidth <= Double(width))
        let table = try #require(found.tables["runs"])
        for (row, record) in zip(table.rows, runs) {
            let summary = try CSVText.rows(ResultText.collect { ResultFile.summary.write(record, to: $0) })
            let expected = try #require(summary.first { $0["phase"] == "all" && $0["lane"] == "all" })
            for (name, cell) in zip(table.columns, row) where !name.isEmpty {
                #expect(cell.exact ?? cell.text.replacing(",", with: "") == expected[name], "\(name)")
            }
        }
        #expect(table.rows.count == 3)
    }

    @Test("The numbers shown are those of the CSV files")
    func numbers() throws {
        let record = PageTests.record(Self.invalid)
        let html = ResultText.collect { ResultFile.page.write(record, to: $0) }
        let found = try look(at: html, width: 1280, dark: false)
        func rows(_ file: ResultFile) throws -> [[String: String]] {
            try CSVText.rows(ResultText.collect { file.write(record, to: $0) })
        }
        let summary = try rows(.summary).filter { $0["phase"] == "all" }
        try compare(found.tables["lanes"], with: summary, key: "lane", columns: 16)
        // Of several lanes in a second the page shows the sum, the file each.
        let seconds = try rows(.timeline)
        for (table, columns) in [("rate", 3), ("queue", 3), ("errors", 4)] {
            let table = try #require(found.tables[table])
            let names = table.columns.filter { !["t_s", "phase", ""].contains($0) }
            #expect(names.count == columns && table.rows.count == 18)
            for (row, second) in zip(table.rows, 0...) {
                for (name, cell) in zip(table.columns, row) where names.contains(name) {
                    let sum = seconds.filter { $0["t_s"] == "\(second)" }.compactMap { Int($0[name] ?? "") }
                        .reduce(0, +)
                    #expect(cell.text.replacing(",", with: "") == "\(sum)", "\(name) in second \(second)")
                }
            }
        }
        let connections = try rows(.connections)
        let lives = try #require(found.tables["connections"])
        #expect(lives.rows.count == connections.count)
        for (row, life) in zip(lives.rows, connections) {
            for (name, cell) in zip(lives.columns, row)
            where !["", "goaway_reason", "goaway_code", "closed_by"].contains(name) {
                #expect(cell.text.replacing(",", with: "") == life[name], "\(name)")
            }
        }
    }

    /// Every cell under a column of the file: the exact number behind it, or the shown one itself.
    private func compare(_ table: Table?, with rows: [[String: String]], key: String, columns: Int) throws {
        let table = try #require(table)
        #expect(table.columns.count == columns && table.rows.count == rows.count)
        for (row, expected) in zip(table.rows, rows) {
            for (name, cell) in zip(table.columns, row) {
                let shown = cell.exact ?? cell.text.replacing(",", with: "")
                #expect(shown == expected[name], "\(name) of \(expected[key] ?? "?")")
                // A rounded time or rate is the exact one, rounded.
                guard let exact = cell.exact.flatMap(Double.init), name.hasSuffix("_us") else { continue }
                #expect(cell.text == HumanUnits.time(Int64((exact * 1_000).rounded())))
            }
        }
    }

    @Test("A script that fails would be noticed")
    func control() throws {
        let visit = try Chromium.visit(
            "<!DOCTYPE html><link rel=icon href='data:,'><script>nothing.here()</script>",
            dark: false
        )
        #expect(visit.console.count == 1)
    }
}

/// Enough of RFC 4180 to read our own files back.
enum CSVText {
    static func rows(_ text: String) throws -> [[String: String]] {
        let lines = fields(text)
        let header = try #require(lines.first)
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    }

    private static func fields(_ text: String) -> [[String]] {
        var (rows, row, field, quoted) = ([[String]](), [String](), "", false)
        var characters = text.unicodeScalars.makeIterator()
        var next = characters.next()
        while let scalar = next {
            next = characters.next()
            switch scalar {
            case "\"" where quoted && next == "\"":
                field.unicodeScalars.append(scalar)
                next = characters.next()
            case "\"": quoted.toggle()
            case "," where !quoted:
                row.append(field)
                field = ""
            case "\n" where !quoted:
                rows.append(row + [field])
                (row, field) = ([], "")
            default: field.unicodeScalars.append(scalar)
            }
        }
        return rows
    }
}
