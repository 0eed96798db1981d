/// What a PEM text holds, read from its frame lines only (RFC 7468); the contents are not looked at.
struct PEMOutline: Equatable {
    struct Block: Equatable {
        var label: String
        var isComplete: Bool
        /// RFC 1421 style `Proc-Type: 4,ENCRYPTED`, as OpenSSL writes traditional keys.
        var isEncrypted: Bool
    }

    private(set) var blocks: [Block] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            note(line)
        }
    }

    private mutating func note(_ line: Slice<UnsafeRawBufferPointer>) {
        if let label = Self.label(of: line, after: "-----BEGIN ") {
            blocks.append(Block(label: label, isComplete: false, isEncrypted: false))
        } else if let label = Self.label(of: line, after: "-----END ") {
            if let last = blocks.indices.last, blocks[last].label == label { blocks[last].isComplete = true }
        } else if line.starts(with: "Proc-Type: 4,ENCRYPTED".utf8), let last = blocks.indices.last {
            blocks[last].isEncrypted = true
        }
    }

    /// The label of a frame line, cut to what a message can show; nil when the line is none.
    private static func label(of line: Slice<UnsafeRawBufferPointer>, after prefix: String) -> String? {
        guard line.starts(with: prefix.utf8) else { return nil }
        let rest = line.dropFirst(prefix.utf8.count)
        let label = rest.prefix { $0 != UInt8(ascii: "-") }.prefix(40)
        guard rest.dropFirst(label.count).starts(with: "-----".utf8) else { return nil }
        return String(decoding: label.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

extension PEMOutline {
    /// Holds a text against what a signing key must be: one complete, unencrypted PKCS#8 block.
    func checkPrivateKey(_ bytes: UnsafeRawBufferPointer) -> CredentialError.Fault? {
        if let key = blocks.first(where: { $0.label == "PRIVATE KEY" }) {
            if key.isEncrypted { return .encrypted }
            return key.isComplete ? nil : .truncated(label: key.label)
        }
        if blocks.contains(where: { $0.label == "ENCRYPTED PRIVATE KEY" || $0.isEncrypted }) { return .encrypted }
        if let open = blocks.first, blocks.count == 1, !open.isComplete, open.label.contains("KEY") {
            return .truncated(label: open.label)
        }
        return blocks.isEmpty ? .notPEM(looksLike: Self.guess(bytes)) : .wrongPEM(labels: blocks.map(\.label))
    }

    /// What a file that is no PEM seems to be, for the message.
    private static func guess(_ bytes: UnsafeRawBufferPointer) -> String {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        switch first {
        case nil: return "only white space"
        case 0x30 where bytes.count > 1 && bytes[1] & 0x80 != 0: return "it looks like DER"
        case UInt8(ascii: "{"): return "it looks like JSON"
        case 0xff, 0xfe: return "it looks like UTF-16 text"
        default: return bytes.contains(0) ? "binary data" : "text without a -----BEGIN line"
        }
    }
}
