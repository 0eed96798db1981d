import FoundationEssentials
import Glibc
import LoadPlan

/// A profile as a command was given it: from a file, or the default one.
struct ProfileFile {
    /// What `run` does when no profile is named.
    static let standardPath = "Profiles/mixed-fleet.json"

    let profile: Profile
    /// The file's path, for messages.
    let path: String
    /// The folder of the file, from which the paths within it count; empty for the current one.
    var folder: String { path.contains("/") ? ResultFolder.split(path).parent : "" }
    /// The words that make another pushbench process load the same profile.
    let arguments: [String]

    /// Loads the file and applies `path=value` overrides in order.
    ///
    /// - Parameter path: nil for the default profile.
    static func load(_ path: String?, overrides: [String]) throws(CommandFailure) -> ProfileFile {
        let file = path ?? standardPath
        let bytes: [UInt8]
        do throws(ResultFolderError) {
            bytes = try ResultFileReader.read(file)
        } catch {
            let hint = path == nil ? " (the default profile; name another, or run in pushbench's folder)" : ""
            throw CommandFailure("\(error)\(hint)")
        }
        do throws(ProfileError) {
            return ProfileFile(
                profile: try Profile(json: bytes, file: file, overrides: overrides),
                path: file,
                arguments: [file] + overrides.flatMap { ["--set", $0] }
            )
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}
