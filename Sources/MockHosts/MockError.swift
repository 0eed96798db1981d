package import HTTP2
package import Transport

/// Why a mock could not start, or had to stop.
package enum MockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not an address in digits.
    case address(String)
    /// A host can't listen where it was told to.
    case listening(host: String, TransportError)
    /// Certificate or key can't be used.
    case identity(TransportError)
    /// The operating system refused something that no mock can do without.
    case system(TransportError)
    case library(HTTP2Error)
    /// No thread could be started.
    case thread(code: Int32)

    package var description: String {
        switch self {
        case .address(let text): "\(text) is no address to listen on; give digits such as 127.0.0.1 or ::1"
        case .listening(let host, .addressInUse(let address)):
            "\(host): \(address) is in use by another process; choose another port with --port \(host)=N"
        case .listening(let host, let error): "\(host): \(error)"
        case .identity(let error), .system(let error): "\(error)"
        case .library(let error): "\(error)"
        case .thread(let code): "no thread could be started (error \(code))"
        }
    }
}
