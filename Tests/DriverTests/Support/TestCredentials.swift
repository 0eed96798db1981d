import Credentials
import Foundation
import LoadPlan
import MockHosts
import Push

/// Certificates and keys for all tests of the process.
enum TestCredentials {
    static let folder = NSTemporaryDirectory() + "pushbench-driver-\(getpid())"

    static let shared: MockCredentials = {
        atexit { try? FileManager.default.removeItem(atPath: TestCredentials.folder) }
        do {
            return try MockCredentials.make(in: folder)
        } catch {
            preconditionFailure("cannot make credentials in \(folder): \(error)")
        }
    }()
}

/// A token endpoint, as FCM needs one: the mock's, with an account of its own and the authority of all tests.
final class TokenHost {
    let serviceAccountFile: String
    private let directory: String
    private let thread: MockThread

    init(_ profile: Profile) throws {
        let shared = TestCredentials.shared
        directory = TestCredentials.folder + "-\(UUID().uuidString)"
        let files = FileManager.default
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: shared.directory) {
            try files.copyItem(atPath: shared.directory + "/" + name, toPath: directory + "/" + name)
        }
        let site = try MockSite(profile: profile, directory: directory, processID: 0)
        serviceAccountFile = site.announcement.fcm.serviceAccount
        thread = try MockThread(running: site.server)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }
}
