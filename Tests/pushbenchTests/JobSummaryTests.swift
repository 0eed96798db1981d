import Foundation
import Testing

@testable import pushbench

@Suite("GitHub job summary")
struct JobSummaryTests {
    @Test("A run is added after what is there, as a paragraph of its own")
    func appends() throws {
        try ResultFolderTests.inTemporaryFolder { root in
            let path = root + "/summary"
            #expect(JobSummary.append("first", to: path) == nil)
            #expect(JobSummary.append("second", to: path) == nil)
            let written = try String(contentsOfFile: path, encoding: .utf8)
            #expect(written == "first\n\nsecond\n")
        }
    }

    @Test("Above what GitHub takes nothing is added, and the problem named")
    func full() throws {
        try ResultFolderTests.inTemporaryFolder { root in
            let path = root + "/summary"
            let text = String(repeating: "x", count: JobSummary.mostBytes - 10)
            #expect(JobSummary.append(text, to: path) == nil)
            #expect(
                JobSummary.append("0123456789", to: path) == "would be larger than the 1048576 bytes that GitHub takes"
            )
            let written = try String(contentsOfFile: path, encoding: .utf8)
            #expect(written == text + "\n")
            #expect(JobSummary.append("x", to: root + "/none/summary") == "No such file or directory")
        }
    }
}
