import FoundationEssentials
import Report

/// A baseline as a file.
enum BaselineFile {
    private struct Form: Decodable {
        let baseline: Int
    }

    /// Nil for a file that is something else.
    static func read(_ path: String) throws(CommandFailure) -> Baseline? {
        let bytes: [UInt8]
        do throws(ResultFolderError) {
            bytes = try ResultFileReader.read(path)
        } catch {
            throw CommandFailure("\(error)")
        }
        let json = Data(bytes)
        guard (try? JSONDecoder().decode(Form.self, from: json)) != nil else { return nil }
        do {
            return try JSONDecoder().decode(Baseline.self, from: json)
        } catch let error as DecodingError {
            throw CommandFailure("\(RecordError(file: path, error))")
        } catch {
            throw CommandFailure("\(path): can't be read: \(error)")
        }
    }
}
