import Testing

@testable import LoadPlan

/// Holds `profile.schema.json` against the decoder: every field of the schema is tried on the decoder, whose complaints
/// tell what it knows.
@Suite("The schema and the decoder agree")
struct SchemaTests {
    private let schema: Schema

    init() throws {
        schema = try Schema(JSONReader.read(ProfilesFolder.text(ProfilesFolder.schema)))
    }

    /// What the decoder says of a value at a path of a profile that is otherwise right.
    private func complaint(about value: String, at path: String) -> ProfileError? {
        // A service time has one form, so the one that is there gives way.
        let forms = path.split(separator: ".").indices.map { path.split(separator: ".")[...$0].joined(separator: ".") }
        var cleared = forms.filter {
            $0 != path && ($0.hasSuffix(".serviceTime") || $0.hasPrefix("mock.serviceTimes."))
        }
        // So does a threshold's text before an object.
        if let element = path.firstRange(of: "\"][0]."), path.hasPrefix("thresholds[") {
            cleared.append(path[..<element.upperBound].dropLast() + "")
        }
        do {
            let overrides = cleared.map { $0 + "=null" } + ["\(path)=\(value)"]
            _ = try Profile(json: ProfileDecodingTests.full, file: "full", overrides: overrides)
            return nil
        } catch {
            return error
        }
    }

    /// Whether the decoder takes the value itself; rules between fields may still be broken.
    private func accepts(_ value: String, at path: String) -> Bool {
        guard let error = complaint(about: value, at: path), error.path == path else { return true }
        if case .rule = error.problem { return true }
        return false
    }

    @Test("The same keys in every object, in both directions")
    func keys() throws {
        var objects = 0
        for place in try schema.places() where !place.keys.isEmpty {
            objects += 1
            let path = place.path.isEmpty ? "zzzz" : place.path + ".zzzz"
            guard case .unknownKey(_, let known) = complaint(about: "1", at: path)?.problem else {
                Issue.record("the decoder takes any key in \(path)")
                continue
            }
            #expect(known.sorted() == place.keys.sorted(), "the keys of \(place.path)")
        }
        #expect(objects > 20)
    }

    @Test("What has keys for the decoder has keys in the schema")
    func objects() throws {
        for place in try schema.places() where place.keys.isEmpty && !place.path.isEmpty {
            guard case .unknownKey = complaint(about: "{zzzz: 1}", at: place.path)?.problem else { continue }
            Issue.record("the decoder knows keys of \(place.path)")
        }
    }

    @Test("Every field is read: a value of a wrong type is refused by its name")
    func types() throws {
        for place in try schema.places() where !place.path.isEmpty {
            let wrong = place.isList ? "{}" : "[]"
            #expect(complaint(about: wrong, at: place.path)?.path == place.path, "\(wrong) at \(place.path)")
        }
    }

    @Test("The same bounds of numbers")
    func bounds() throws {
        var bounded = 0
        for place in try schema.places() {
            guard let (low, high) = place.bounds else { continue }
            bounded += 1
            let (path, step) = (place.path, place.isWhole ? 1.0 : 0.001)
            #expect(accepts(low, at: path) && accepts(high, at: path), "\(low) and \(high) at \(path)")
            let below = try #require(Double(low)) - step
            #expect(!accepts(place.isWhole ? String(Int(below)) : String(below), at: path), "\(below) at \(path)")
            guard high != String(UInt64.max) else { continue }
            let above = try #require(Double(high)) + step
            #expect(!accepts(place.isWhole ? String(Int(above)) : String(above), at: path), "\(above) at \(path)")
        }
        #expect(bounded > 20)
    }

    @Test("The same words, and no others")
    func words() throws {
        for place in try schema.places() where !place.words.isEmpty {
            for word in place.words { #expect(accepts("'\(word)'", at: place.path), "\(word) at \(place.path)") }
            #expect(!accepts("'zzzz'", at: place.path), "zzzz at \(place.path)")
        }
        #expect(try schema.places().first { $0.path == "messages[0].pushType" }?.words == Message.pushTypes)
    }
}
