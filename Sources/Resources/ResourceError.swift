/// Why a resource of this process or machine could not be read.
package enum ResourceError: Error, Equatable, CustomStringConvertible {
    /// jemalloc does not know a statistic, or was built without statistics; the number is its `errno`.
    case statistic(name: String, code: Int32)

    /// A file of `/proc` or `/etc` could not be read.
    case file(path: String, code: Int32)

    /// A file was read but lacks a field that Linux writes there.
    case field(path: String, name: String)

    package var description: String {
        switch self {
        case .statistic(let name, let code):
            "jemalloc: cannot read \(name) (error \(code)); a build with statistics is needed"
        case .file(let path, let code): "\(path): cannot be read (error \(code))"
        case .field(let path, let name): "\(path): has no readable field \(name)"
        }
    }
}
