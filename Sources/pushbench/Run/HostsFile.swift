import FoundationEssentials
import Push

/// Reads what running mock hosts said about themselves.
enum HostsFile {
    /// The announcement in a file: the line that `pushbench mock` printed first.
    static func read(_ path: String) throws(CommandFailure) -> HostAnnouncement {
        let bytes: [UInt8]
        do throws(ResultFolderError) {
            bytes = try ResultFileReader.read(path)
        } catch {
            throw CommandFailure("\(error)")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        do {
            return try JSONDecoder().decode(HostAnnouncement.self, from: Data(line))
        } catch {
            throw CommandFailure("\(path): the first line is not what `pushbench mock` prints when it is ready")
        }
    }
}
