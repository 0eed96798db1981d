import Hosts
import Testing

@Suite struct TokenCacheTests {
    private func withToken<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(text.utf8).withUnsafeBytes(body)
    }

    @Test func aTokenIsFoundByItsBytes() {
        var cache = TokenCache(capacity: 16)
        let places = (0..<4)
            .map { number in withToken("token \(number)") { cache.insert($0, .genuine(key: number, issuedAt: 0)) } }
        for number in 0..<4 {
            for hint in 0..<4 {
                let found = withToken("token \(number)") { cache.find($0, hint: hint) }
                #expect(found == places[number])
                #expect(found.flatMap { cache[$0] } == .genuine(key: number, issuedAt: 0))
            }
        }
        #expect(withToken("token 4") { cache.find($0, hint: 0) } == nil)
        #expect(withToken("") { cache.find($0, hint: 0) } == nil)
    }

    @Test func theCacheStaysAsLargeAsItIs() {
        var cache = TokenCache(capacity: 16)
        for number in 0..<10_000 {
            _ = withToken("token \(number)") { cache.insert($0, .genuine(key: number, issuedAt: 0)) }
        }
        let kept = (0..<10_000).filter { number in withToken("token \(number)") { cache.find($0, hint: 0) } != nil }
        #expect(kept.count == 16)
        #expect(kept.contains(9_999))
        for number in kept {
            let place = withToken("token \(number)") { cache.find($0, hint: 0) }
            #expect(place.flatMap { cache[$0] } == .genuine(key: number, issuedAt: 0))
        }
    }

    @Test func aTokenThatIsTooLongIsNotKept() {
        var cache = TokenCache(capacity: 4, longest: 8)
        #expect(withToken("12345678") { cache.insert($0, .invalid) } != nil)
        #expect(withToken("123456789") { cache.insert($0, .invalid) } == nil)
        #expect(withToken("123456789") { cache.find($0, hint: 0) } == nil)
    }
}
