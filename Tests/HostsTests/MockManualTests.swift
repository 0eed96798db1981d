import Foundation
import LoadPlan
import Testing

@testable import Hosts

/// Holds the manual's tables against the code that they describe.
@Suite struct MockManualTests {
    static let manual = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/mock.md")

    static let tables: [(name: String, rows: String)] = [
        ("scope", FaultTable.scopeMarkdown), ("fault", FaultTable.markdown), ("rule", AuditRule.markdown),
    ]

    @Test(arguments: tables.indices) func theManualHasTheTable(_ index: Int) throws {
        let (name, rows) = Self.tables[index]
        let text = try String(contentsOf: Self.manual, encoding: .utf8)
        let begin = "<!-- \(name) table: made from the code, held by a test -->\n"
        let start = try #require(text.range(of: begin)).upperBound
        let end = try #require(text.range(of: "<!-- end of \(name) table -->")).lowerBound
        #expect(String(text[start..<end]) == rows, "the table as it should be:\n\(rows)")
    }
}
