/// Writes and reads the text of synthetic tokens.
///
/// The caller's buffer is used during the call only and nothing is allocated. Characters are made eight at a time
/// within 64-bit words, each byte of a word one character, the lowest byte the first.
enum TokenText {
    /// The two words that a synthetic token starts with.
    struct Words {
        let identity: UInt64
        let mark: UInt64
    }

    /// Where the colon stands in a generated FCM token: after 22 characters of installation id.
    static let fcmSeparator = 22

    /// `:APA91b`, the lowest byte first.
    private static let fcmMarker: UInt64 = 0x62_31_39_41_50_41_3A

    private static let everyByte: UInt64 = 0x0101_0101_0101_0101

    @inline(__always)
    private static func store(_ characters: UInt64, into text: UnsafeMutableRawBufferPointer, at position: Int) {
        text.storeBytes(of: characters.littleEndian, toByteOffset: position, as: UInt64.self)
    }
}

// MARK: - APNs: hexadecimal digits of identity, mark, filler

extension TokenText {
    /// Writes a device token of at least 64 characters.
    static func writeAPNs(_ words: Words, filler: UInt64, length: Int, into text: UnsafeMutableRawBufferPointer) {
        writeHex(words.identity, words.mark, into: text, at: 0)
        var random = FillerRandom(state: filler)
        var position = 32
        while position < length {
            // The last digits overlap those before them where the length is not a multiple of 32.
            writeHex(random.next(), random.next(), into: text, at: min(position, length - 32))
            position += 32
        }
    }

    /// Reads the words back.
    ///
    /// - Precondition: the token has the shape of an APNs token.
    static func readAPNs(_ token: UnsafeRawBufferPointer) -> Words {
        Words(identity: readHex(token, at: 0), mark: readHex(token, at: 16))
    }

    /// Writes two words as the 32 digits of their bytes, the lowest byte first.
    @inline(__always)
    private static func writeHex(
        _ first: UInt64,
        _ second: UInt64,
        into text: UnsafeMutableRawBufferPointer,
        at position: Int
    ) {
        let halves = SIMD4(first & 0xFFFF_FFFF, first &>> 32, second & 0xFFFF_FFFF, second &>> 32)
        // Four bytes spread over eight, then each byte's high digit before its low one.
        let pairs = (halves &<< 16 | halves) & 0x0000_FFFF_0000_FFFF
        let bytes = (pairs &<< 8 | pairs) & 0x00FF_00FF_00FF_00FF
        let digits = (bytes &>> 4 | bytes &<< 8) & 0x0F0F_0F0F_0F0F_0F0F
        // From 10 on come the letters, 39 further on than the digits' successors. 118 takes these to a top bit.
        let tops = (digits &+ 118 &* everyByte) & (128 &* everyByte)
        let letters = (tops &- (tops &>> 7)) & (39 &* everyByte)
        let characters = digits &+ 48 &* everyByte &+ letters
        for word in 0..<4 { store(characters[word], into: text, at: position + 8 * word) }
    }

    private static func readHex(_ token: UnsafeRawBufferPointer, at position: Int) -> UInt64 {
        var word: UInt64 = 0
        for character in token[position..<position + 16] {
            word = word &<< 4 | UInt64(character & 0x0F &+ (character &>> 6) &* 9)
        }
        return word.byteSwapped
    }
}

// MARK: - FCM: <installation id of identity and mark>:APA91b<filler>

extension TokenText {
    /// Writes a registration token of the longest length; any shorter one is its beginning.
    ///
    /// Its installation id is 132 bits in base64url, of which the first four are 0111, so it begins with c, d, e or f
    /// (firebase-js-sdk, `packages/installations/src/helpers/generate-fid.ts`). The other 128 bits are the identity
    /// and the mark: the top 16 bits of both in the first six characters, then eight characters each.
    static func writeFCM(_ words: Words, filler: UInt64, into text: UnsafeMutableRawBufferPointer) {
        let tops = words.identity &>> 48 | (words.mark &>> 48) &<< 16
        let start = 0b011100 | tops & 3 | (tops &>> 2) &<< 6
        let id = base64URL(sextets(SIMD4(start, words.identity, words.mark, 0)))
        store(id[0], into: text, at: 0)
        store(id[1], into: text, at: 6)
        store(id[2], into: text, at: 14)
        store(fcmMarker, into: text, at: fcmSeparator)
        var random = FillerRandom(state: filler)
        for position in stride(from: fcmSeparator + 7, to: TokenShape.generatedFCMLengths.upperBound, by: 16) {
            let characters = base64URL(SIMD2(random.next(), random.next()) & (63 &* everyByte))
            store(characters[0], into: text, at: position)
            store(characters[1], into: text, at: position + 8)
        }
    }

    /// Reads the words back.
    ///
    /// - Precondition: the token has the shape of an FCM token.
    /// - Returns: nil if it cannot be a generated one.
    static func readFCM(_ token: UnsafeRawBufferPointer) -> Words? {
        let start = readSextets(token, at: 0, count: 6)
        guard token[fcmSeparator] == UInt8(ascii: ":"), start & 0b111100 == 0b011100 else { return nil }
        let tops = start & 3 | (start &>> 6) &<< 2
        return Words(
            identity: readSextets(token, at: 6, count: 8) | tops &<< 48,
            mark: readSextets(token, at: 14, count: 8) | (tops &>> 16) &<< 48
        )
    }

    /// The low 48 bits of each word, six to a byte.
    @inline(__always)
    private static func sextets(_ words: SIMD4<UInt64>) -> SIMD4<UInt64> {
        let halves = words & 0x0000_00FF_FFFF | (words & 0xFFFF_FF00_0000) &<< 8
        let quarters = halves & 0x0000_0FFF_0000_0FFF | (halves & 0x00FF_F000_00FF_F000) &<< 4
        return quarters & 0x003F_003F_003F_003F | (quarters & 0x0FC0_0FC0_0FC0_0FC0) &<< 2
    }

    /// The base64url character for each byte's value of 0 to 63 (RFC 4648 section 5).
    ///
    /// Each range of the alphabet lies at another distance from its values; the distances add up as the value passes
    /// 26, 52, 62 and 63. No byte ever overflows into the next.
    @inline(__always)
    private static func base64URL<Words: SIMD>(_ sextets: Words) -> Words where Words.Scalar == UInt64 {
        /// `distance` in each byte whose value is at least `bound`, 0 in the others.
        @inline(__always)
        func from(_ bound: UInt64, _ distance: UInt64) -> Words {
            let reached = ((sextets &+ (128 - bound) &* everyByte) &>> 7) & everyByte
            return ((reached &<< 8) &- reached) & (distance &* everyByte)
        }
        return sextets &+ 65 &* everyByte &+ from(26, 6) &- from(52, 75) &- from(62, 13) &+ from(63, 49)
    }

    private static func readSextets(_ token: UnsafeRawBufferPointer, at position: Int, count: Int) -> UInt64 {
        var word: UInt64 = 0
        for character in token[position..<position + count].reversed() { word = word &<< 6 | sextet(character) }
        return word
    }

    /// The value of a base64url character.
    private static func sextet(_ character: UInt8) -> UInt64 {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character - 65)
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - 71)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character + 4)
        case UInt8(ascii: "-"): 62
        default: 63
        }
    }
}

extension Fleet {
    /// Writes a device's token in ASCII.
    ///
    /// - Parameters:
    ///   - device: a device of this fleet.
    ///   - buffer: memory of at least ``maximumTokenLength`` bytes; what follows the token in it may be overwritten.
    /// - Returns: the token's length, which is ``Device/tokenLength``.
    package func writeToken(of device: Device, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        precondition(buffer.count >= Self.maximumTokenLength, "a token needs a buffer for the longest token")
        // The identity is a bijection of the state, which differs for each device: no two tokens are the same.
        let identity = mix64(device.key)
        let words = TokenText.Words(identity: identity, mark: TokenMark(of: device, in: self, identity: identity).word)
        if device.lane == .fcm {
            TokenText.writeFCM(words, filler: device.key, into: buffer)
        } else {
            // A cut token starts as a whole one.
            let length = max(device.tokenLength, TokenShape.apnsLengths.lowerBound)
            TokenText.writeAPNs(words, filler: device.key, length: length, into: buffer)
        }
        if device.defect == .malformed {
            let malformation = Malformation(key: device.key)
            if let spoilt = malformation.replacement(in: device.tokenLength, device.lane.provider) {
                buffer[spoilt.position] = spoilt.character
            }
        }
        return device.tokenLength
    }
}
