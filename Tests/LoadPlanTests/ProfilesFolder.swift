import Foundation

@testable import LoadPlan

/// The profiles that come with pushbench.
enum ProfilesFolder {
    static let names = [
        "apns-closed.json", "ci-smoke.json", "fcm-batches.json", "gate.json", "mixed-fleet.json", "power.json",
    ]
    static let schema = "profile.schema.json"

    private static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Profiles")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    static func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    static func profile(_ name: String) throws -> Profile { try Profile(json: text(name), file: name) }
}
