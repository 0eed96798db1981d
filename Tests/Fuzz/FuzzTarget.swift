// libFuzzer's target: the bytes that a peer sends. Compiled together with Sources/HTTP2 by scripts/fuzz, not by the
// package.

/// Plays one input.
///
/// The first byte says which session gets the rest, or whether the header decoder does (bits 4 and 5), how many requests
/// are open (a client's) and whether the peer has begun as it must (bit 3); the second seeds where the rest is cut into
/// pieces and what the caller does.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let input = UnsafeRawBufferPointer(start: start, count: count)
    let rest = UnsafeRawBufferPointer(rebasing: input[2...])
    let begun = input[0] & 8 != 0
    switch input[0] >> 4 & 3 {
    case 1:
        let server = ServerFuzz(seed: input[1])
        if begun { server.give(opening) }
        server.play(rest)
    case 2:
        let server = CannedFuzz(seed: input[1])
        if begun { server.give(opening) }
        server.play(rest)
    case 3: HeaderFuzz().play(rest)
    default:
        let client = ClientFuzz(requests: Int(input[0] & 7), seed: input[1])
        if begun { client.give(settings) }
        client.play(rest)
    }
    return 0
}

/// SETTINGS, empty, and the acknowledgement of the other side's.
private let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]
private let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings

/// Cuts an input into pieces, each in memory of its own size, so that reading past its end is found.
///
/// With each piece goes a number that says what else to do.
func cut(_ bytes: UnsafeRawBufferPointer, seed: UInt8, _ give: (UnsafeRawBufferPointer, UInt8) -> Void) {
    var rest = bytes
    var random = seed
    while !rest.isEmpty {
        random = random &* 13 &+ 7
        let count = random & 3 == 0 ? rest.count : min(rest.count, 1 + Int(random >> 2))
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        piece.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
        give(UnsafeRawBufferPointer(piece), random)
        piece.deallocate()
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
}
