import Foundation
import TestSupport
import Testing

extension Processes {
    /// However the mock hosts end, the folder with their keys goes with them.
    @Suite("The end of mock hosts") struct MockEndingTests {
        /// A run ends its hosts in two ways at once, so that the second comes while the first is being followed.
        @Test(arguments: 1...5) func aSignalDuringTheEnd(attempt: Int) throws {
            let bench = try Workbench()
            let mock = try bench.start(["mock", "--until-stdin-closes"])
            // Its standard input has ended already: it says its last word and begins to put things away.
            try mock.waitForOutput { $0.count { $0 == "\n" } == 2 }
            mock.send(SIGTERM)
            let outcome = try mock.wait()
            #expect(outcome.code == 0 && outcome.errors == "")
            #expect(try bench.temporaries.contents() == [])
        }

        @Test(arguments: 1...5) func aSignalDuringTheStart(attempt: Int) throws {
            let bench = try Workbench()
            let mock = try bench.start(["mock"])
            // Its standard output tells nothing yet; the folder does not stay, whether it is there by now or not.
            for _ in 0..<attempt { sched_yield() }
            mock.send(SIGTERM)
            _ = try mock.wait()
            #expect(try bench.temporaries.contents() == [])
        }

        @Test func aReaderThatHasGone() throws {
            let bench = try Workbench()
            let line = "\"$0\" mock --until-stdin-closes | :"
            let outcome = try Program.run(
                "/bin/sh",
                ["-c", line, Workbench.pushbench],
                environment: ["TMPDIR": bench.temporaries.path]
            )
            #expect(outcome.errors == "")
            #expect(try bench.temporaries.contents() == [])
        }

        @Test func aFolderOfTheUsersStays() throws {
            let bench = try Workbench()
            let first = try RunningMock(in: bench, ["--state", "state"])
            #expect(try first.end().hasPrefix("{"))
            let files = try bench.folder.contents()
            #expect(files.contains("state/AuthKey_ABC123DEFG.p8"))
            let key = try bench.folder.read("state/AuthKey_ABC123DEFG.p8")
            let second = try RunningMock(in: bench, ["--state", "state"])
            _ = try second.end()
            #expect(try bench.folder.contents() == files)
            #expect(try bench.folder.read("state/AuthKey_ABC123DEFG.p8") == key)
            #expect(try bench.temporaries.contents() == [])
        }
    }
}
