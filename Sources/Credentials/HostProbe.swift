import CCurl
import Push

/// Asks a host for nothing in particular, to see that it is there, who it is and what time it has.
package struct HostProbe: Sendable {
    /// What a host said.
    package struct Answer: Sendable, Equatable {
        package var status: Int
        /// Its `date` header in seconds since 1970; nil without one.
        package var date: Int64?
        package var speaksHTTP2: Bool
    }

    /// As for the token endpoint: the CA to trust, time limits and proxy.
    package var client: OAuthClient

    package init(_ client: OAuthClient) {
        self.client = client
    }

    /// One GET, over HTTP/2 where the host speaks it.
    package func ask(_ url: String) throws(OAuthError) -> Answer {
        do {
            let transfer = try CurlTransfer()
            try transfer.configure(url: url, client: client)
            let answer = try transfer.get()
            return Answer(
                status: answer.status,
                date: Self.date(in: answer.body),
                speaksHTTP2: answer.version == CURL_HTTP_VERSION_2_0
            )
        } catch {
            throw OAuthError(url: url, fault: error)
        }
    }

    /// The value of `date` in the header lines that come before the body.
    static func date(in lines: [UInt8]) -> Int64? {
        let name = Array("date: ".utf8)
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if line.isEmpty { return nil }
            guard line.count > name.count, zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            return Array(line.dropFirst(name.count)).withUnsafeBytes { HTTPDate.seconds($0) }
        }
        return nil
    }
}
